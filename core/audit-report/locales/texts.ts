// The texts of an audit report in the language of its organisation. Every language must define every text.
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'
import type { ReportStage } from '#core/audit-report/audit-report.ts'
import type { AuditAction } from '#core/audit/rules.ts'

/** The values of a row as text: numbers as written, ids as names, `?` for a value that was tampered with. */
export interface AuditSubject {
  signer: string
  document: string
  signature: string
  signers: string
  documents: string
  /** Whole seconds; undefined when the row has no duration. */
  seconds: number | undefined
}

export interface ReportTexts {
  title: string
  intact: string
  intactBody(rows: number): string
  broken: string
  brokenBody(seq: number): string
  /** Below the verdict: what this file is, up to which entry. */
  stages: Record<ReportStage, (rows: number) => string>
  /** On every page of a report that is not final. */
  marks: Record<Exclude<ReportStage, 'FINAL'>, string>
  facts: Record<
    | 'envelope'
    | 'status'
    | 'workspace'
    | 'created'
    | 'requestedBy'
    | 'createdBy'
    | 'code'
    | 'codeRequired'
    | 'codeNotRequired'
    | 'order'
    | 'inTurn'
    | 'inAnyOrder'
    | 'entries'
    | 'ended'
    | 'expires'
    | 'never',
    string
  >
  envelopeStatus: Record<EnvelopeStatus, string>
  signers: Record<'heading' | 'order' | 'name' | 'identity' | 'signed', string>
  signerStatus: Record<SignerStatus, string>
  /** How a signer was identified and what was opened. */
  evidence: {
    linkMailed(time: string): string
    linkNotMailed: string
    codeEntered(time: string): string
    codeNotEntered: string
    codeNotRequired: string
    opened(count: number, firstTime: string): string
    notOpened: string
    onScreen(seconds: number): string
    pages: string
  }
  signatures: {
    heading: string
    signed(time: string): string
    id(id: string): string
    consent(version: number, language: string): string
    noConsent: string
    noPicture: string
  }
  documents: Record<'heading' | 'file' | 'uploaded' | 'original' | 'normalised' | 'sealed' | 'notSealed', string>
  events: Record<'heading' | 'number' | 'time' | 'who' | 'what', string>
  end: { heading: string; hash(rows: number): string }
  checks: {
    heading: string
    report: string
    entries(path: string): string
    installation: string
    documents(verifyUrl: string): string
  }
  footer(envelopeId: string, time: string): string
  page(number: number, count: number): string
  steps: Record<AuditAction, (subject: AuditSubject) => string>
  as: Record<'credential' | 'person' | 'system', string>
}
