// The texts of an audit report in the organisation's language. Every language has every text.
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import type { SignerStatus } from '#core/envelope/signer/rules.ts'
import type { AuditAction } from '#core/audit/rules.ts'

/** The details of an entry as text: ids are resolved to names, `?` replaces values that were tampered with. */
export interface AuditSubject {
  signer: string
  document: string
  signature: string
  signers: string
  documents: string
  /** Whole seconds; undefined when unknown. */
  seconds: number | undefined
}

export interface ReportTexts {
  title: string
  intact: string
  intactBody(rows: number): string
  broken: string
  brokenBody(seq: number): string
  facts: Record<
    'envelope' | 'status' | 'workspace' | 'created' | 'organisation' | 'createdBy' | 'entries' | 'ended' | 'expires' | 'never',
    string
  >
  envelopeStatus: Record<EnvelopeStatus, string>
  signers: Record<'heading' | 'order' | 'name' | 'email' | 'signed', string>
  signerStatus: Record<SignerStatus, string>
  documents: Record<'heading' | 'file' | 'original' | 'sealed' | 'notSealed', string>
  events: Record<'heading' | 'number' | 'time' | 'who' | 'what', string>
  end: { heading: string; hash(rows: number): string }
  checks: { heading: string; entries(path: string): string; installation: string; documents(verifyUrl: string): string }
  footer(envelopeId: string, time: string): string
  page(number: number, count: number): string
  steps: Record<AuditAction, (subject: AuditSubject) => string>
  as: Record<'credential' | 'person' | 'system', string>
}
