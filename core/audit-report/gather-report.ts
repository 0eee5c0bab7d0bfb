// Gathers the content of an envelope's audit report.
import type { Core } from '#core/context.ts'
import { findOrganisation } from '#core/account/organisation/store.ts'
import type { Locale } from '#core/account/organisation/rules.ts'
import type { AuditAction } from '#core/audit/rules.ts'
import { consentSentence } from '#core/envelope/ceremony/consent.ts'
import { listDocuments } from '#core/envelope/document/store.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { listSigners } from '#core/envelope/signer/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { listAppearances, listSealedDocuments } from '#core/seal/store.ts'
import type { AuditReport, ReportedSigner, ReportStage } from './audit-report.ts'
import { describeEvent } from './describe-event.ts'
import { type CheckedTrail, readCheckedTrail } from './get-audit-trail.ts'
import { reportTexts } from './locales/choose-texts.ts'
import { evidenceOf } from './signer-evidence.ts'
import { findReportedEnvelope } from './store.ts'

const ENDS: readonly AuditAction[] = ['envelope.completed', 'envelope.cancelled', 'envelope.expired', 'envelope.deleted']

/** Reads everything from one snapshot. Throws ENVELOPE_NOT_FOUND. */
export async function gatherReport(
  sql: Sql,
  { keys, settings }: Pick<Core, 'keys' | 'settings'>,
  { orgId, id, stage }: { orgId: OrgId; id: EnvelopeId; stage: ReportStage },
): Promise<AuditReport> {
  const trail = await readCheckedTrail(sql, keys, orgId, id)
  const organisation = await findOrganisation(sql, orgId)
  if (!organisation) throw new DomainError('ORGANISATION_NOT_FOUND')
  const { name, locale } = organisation
  const signers = await listSigners(sql, orgId, id)
  const documents = await listDocuments(sql, orgId, id)
  const names = {
    signers: new Map(signers.map((signer) => [String(signer.id), signer.name])),
    documents: new Map(documents.map((document) => [String(document.id), document.filename])),
  }
  return {
    locale,
    stage,
    organisation: name,
    envelope: await readEnvelope(sql, orgId, id, trail),
    signers: await readSigners(sql, orgId, id, { signers, trail, documentCount: documents.length }),
    documents: await readDocuments(sql, orgId, id, { documents, trail }),
    events: describeEvents(trail, names, locale),
    chain: trail.chain,
    verifyUrl: `${settings.publicUrl}/verify`,
    madeAt: await databaseNow(sql),
  }
}

function describeEvents(
  { events }: CheckedTrail,
  names: Parameters<typeof describeEvent>[1],
  locale: Locale,
): AuditReport['events'] {
  return events.map((event) => {
    const { seq, at, address, userAgent } = event
    return { seq, at, ...describeEvent(event, names, reportTexts(locale)), from: address, by: userAgent }
  })
}

async function readEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId, { events }: CheckedTrail): Promise<AuditReport['envelope']> {
  const envelope = await findReportedEnvelope(sql, orgId, id)
  if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
  const { workspaceName: workspace, createdBy, ...facts } = envelope
  const end = events.findLast(({ action }) => ENDS.includes(action))
  return { id, ...facts, workspace, createdBy: createdBy ?? '', endedAt: end?.at ?? null }
}

async function readSigners(
  sql: Sql,
  orgId: OrgId,
  id: EnvelopeId,
  { signers, trail, documentCount }: { signers: readonly Signer[]; trail: CheckedTrail; documentCount: number },
): Promise<ReportedSigner[]> {
  const appearances = await listAppearances(sql, orgId, id)
  return signers.map(({ id: signerId, signOrder, name, email, status, signedAt }) => {
    const { signature, ...evidence } = evidenceOf(trail.events, signerId)
    const drawn = appearances.find((each) => each.signerId === signerId)?.appearance
    const consent = signature?.consent && {
      ...signature.consent,
      text: consentSentence(signature.consent, name, documentCount),
    }
    return {
      order: signOrder,
      name,
      email,
      status,
      signedAt,
      ...evidence,
      signature: signature && {
        ...signature,
        consent: consent ?? null,
        picture: drawn && drawn.length > 0 ? new Uint8Array(drawn) : null,
      },
    }
  })
}

async function readDocuments(
  sql: Sql,
  orgId: OrgId,
  id: EnvelopeId,
  { documents, trail }: { documents: Awaited<ReturnType<typeof listDocuments>>; trail: CheckedTrail },
): Promise<AuditReport['documents']> {
  const sealed = await listSealedDocuments(sql, orgId, id)
  const stored = sealed.filter(({ increment }) => increment === null)
  const attached = trail.events.filter(({ action }) => action === 'document.attached')
  return documents.map((document) => {
    const uploadSha256 = attached.find(({ detail }) => detail['documentId'] === document.id)?.detail['uploadSha256']
    return {
      name: document.filename,
      sizeBytes: document.sizeBytes,
      sha256: document.sha256.toString('hex'),
      uploadSha256: typeof uploadSha256 === 'string' ? uploadSha256 : null,
      sealedSha256: stored.find(({ documentId }) => documentId === document.id)?.sha256.toString('hex') ?? null,
    }
  })
}
