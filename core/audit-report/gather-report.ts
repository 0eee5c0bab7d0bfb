// Gathers the content of an envelope's audit report.
import type { Core } from '#core/context.ts'
import { findOrganisation } from '#core/account/organisation/store.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import type { AuditAction } from '#core/audit/rules.ts'
import { consentSentence } from '#core/envelope/ceremony/consent.ts'
import { type EnvelopeDocument, listDocuments } from '#core/envelope/document/store.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { listSigners } from '#core/envelope/signer/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { type Appearance, listAppearances, listSealedDocuments, type SealedDocument } from '#core/seal/store.ts'
import type { AuditReport, ReportedSigner, ReportStage } from './audit-report.ts'
import { describeEvent } from './describe-event.ts'
import { type CheckedTrail, readCheckedTrail } from './get-audit-trail.ts'
import { reportTexts } from './locales/choose-texts.ts'
import { evidenceOf } from './signer-evidence.ts'
import { findReportedEnvelope, type ReportedEnvelope } from './store.ts'

const ENDS: readonly AuditAction[] = ['envelope.completed', 'envelope.cancelled', 'envelope.expired', 'envelope.deleted']

/** Reads everything from one snapshot. Throws ENVELOPE_NOT_FOUND. */
export async function gatherReport(
  sql: Sql,
  { keys, settings }: Pick<Core, 'keys' | 'settings'>,
  { orgId, id, stage }: { orgId: OrgId; id: EnvelopeId; stage: ReportStage },
): Promise<AuditReport> {
  const [envelope, organisation, signers, documents, appearances, sealed, madeAt, trail] = await Promise.all([
    findReportedEnvelope(sql, orgId, id),
    findOrganisation(sql, orgId),
    listSigners(sql, orgId, id),
    listDocuments(sql, orgId, id),
    listAppearances(sql, orgId, id),
    listSealedDocuments(sql, orgId, id),
    databaseNow(sql),
    readCheckedTrail(sql, keys, orgId, id),
  ])
  if (!organisation) throw new DomainError('ORGANISATION_NOT_FOUND')
  if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
  const { name, locale } = organisation
  return {
    locale,
    stage,
    organisation: name,
    envelope: toEnvelope(id, envelope, trail),
    signers: signers.map((signer) => toSigner(signer, { trail, appearances, documentCount: documents.length })),
    documents: documents.map((document) => toDocument(document, { trail, sealed })),
    events: describeEvents(trail, { signers, documents, locale }),
    chain: trail.chain,
    verifyUrl: `${settings.publicUrl}/verify`,
    madeAt,
  }
}

function toEnvelope(id: EnvelopeId, envelope: ReportedEnvelope, { events }: CheckedTrail): AuditReport['envelope'] {
  const { workspaceName: workspace, createdBy, ...facts } = envelope
  const end = events.findLast(({ action }) => ENDS.includes(action))
  return { id, ...facts, workspace, createdBy: createdBy ?? '', endedAt: end?.at ?? null }
}

function toSigner(
  { id, signOrder, name, email, status, signedAt }: Signer,
  { trail, appearances, documentCount }: { trail: CheckedTrail; appearances: readonly Appearance[]; documentCount: number },
): ReportedSigner {
  const { signature, ...evidence } = evidenceOf(trail.events, id)
  const consent = signature?.consent ?? null
  const drawn = appearances.find(({ signerId }) => signerId === id)?.appearance
  return {
    order: signOrder,
    name,
    email,
    status,
    signedAt,
    ...evidence,
    signature: signature && {
      ...signature,
      consent: consent && { ...consent, text: consentSentence(consent, name, documentCount) },
      picture: drawn && drawn.length > 0 ? new Uint8Array(drawn) : null,
    },
  }
}

function toDocument(
  { id, filename, sizeBytes, sha256 }: EnvelopeDocument,
  { trail, sealed }: { trail: CheckedTrail; sealed: readonly SealedDocument[] },
): AuditReport['documents'][number] {
  const attached = trail.events.find(({ action, detail }) => action === 'document.attached' && detail['documentId'] === id)
  const uploadSha256 = attached?.detail['uploadSha256']
  const copy = sealed.find(({ documentId, increment }) => documentId === id && increment === null)
  return {
    name: filename,
    sizeBytes,
    sha256: sha256.toString('hex'),
    uploadSha256: typeof uploadSha256 === 'string' ? uploadSha256 : null,
    sealedSha256: copy?.sha256.toString('hex') ?? null,
  }
}

function describeEvents(
  { events }: CheckedTrail,
  { signers, documents, locale }: { signers: readonly Signer[]; documents: readonly EnvelopeDocument[]; locale: Locale },
): AuditReport['events'] {
  const names = {
    signers: new Map(signers.map((signer) => [String(signer.id), signer.name])),
    documents: new Map(documents.map((document) => [String(document.id), document.filename])),
  }
  return events.map((event) => {
    const { seq, at, address, userAgent } = event
    return { seq, at, ...describeEvent(event, names, reportTexts(locale)), from: address, by: userAgent }
  })
}
