// The audit trail of an envelope as a PDF that can be archived, read without Sealwright and checked line by line.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { listDocuments } from '#core/envelope/document/store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { findOrganisation } from '#core/account/organisation/store.ts'
import { readInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { listSealedDocuments } from '#core/seal/store.ts'
import { listSigners } from '#core/envelope/signer/store.ts'
import type { AuditReport } from './audit-report.ts'
import { describeEvent } from './describe-event.ts'
import { type AuditTrail, readAuditTrail } from './get-audit-trail.ts'
import type { ReportPool } from './report-pool.ts'
import { reportTexts } from './locales/choose-texts.ts'
import type { AuditAction } from '#core/audit/rules.ts'

const ENDS: readonly AuditAction[] = ['envelope.completed', 'envelope.cancelled', 'envelope.expired', 'envelope.deleted']

/** Returns the file and the envelope's title. Throws ENVELOPE_NOT_FOUND, SERVICE_UNAVAILABLE when too many reports wait to be drawn. */
export async function getAuditReport(
  core: Core,
  reports: ReportPool,
  caller: Caller,
  id: EnvelopeId,
): Promise<{ title: string; pdf: Buffer }> {
  const report = await readInOrganisation(core.database, caller.orgId, (sql) => gather(sql, core, caller, id))
  return { title: report.envelope.title, pdf: await reports.draw(report) }
}

async function gather(sql: Sql, core: Core, caller: Caller, id: EnvelopeId): Promise<AuditReport> {
  const { orgId } = caller
  const trail = await readAuditTrail(sql, core, caller, id)
  const organisation = await findOrganisation(sql, orgId)
  if (!organisation) throw new DomainError('ORGANISATION_NOT_FOUND')
  const { name, locale } = organisation
  const signers = await listSigners(sql, orgId, id)
  const documents = await listDocuments(sql, orgId, id)
  const sealed = await sealedHashes(sql, orgId, id)
  const names = {
    signers: new Map(signers.map((signer) => [String(signer.id), signer.name])),
    documents: new Map(documents.map((document) => [String(document.id), document.filename])),
  }
  return {
    locale,
    organisation: name,
    envelope: envelopeOf(trail),
    signers: signers.map(({ signOrder, name, email, status, signedAt }) => ({ order: signOrder, name, email, status, signedAt })),
    documents: documents.map((document) => ({
      name: document.filename,
      sizeBytes: document.sizeBytes,
      sha256: document.sha256.toString('hex'),
      sealedSha256: sealed.get(document.id) ?? null,
    })),
    events: trail.events.map((event) => {
      const { seq, at, address, userAgent } = event
      return { seq, at, ...describeEvent(event, names, reportTexts(locale)), from: address, by: userAgent }
    }),
    chain: trail.chain,
    verifyUrl: `${core.settings.publicUrl}/verify`,
    madeAt: await databaseNow(sql),
  }
}

async function sealedHashes(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<Map<string, string>> {
  const sealed = await listSealedDocuments(sql, orgId, id)
  const stored = sealed.filter(({ increment }) => increment === null)
  return new Map(stored.map(({ documentId, sha256 }) => [String(documentId), sha256.toString('hex')]))
}

function envelopeOf({ envelope, events }: AuditTrail): AuditReport['envelope'] {
  const { id, title, status, workspaceName, createdAt, createdBy, expiresAt } = envelope
  const end = events.findLast(({ action }) => ENDS.includes(action))
  return {
    id,
    title,
    status,
    workspace: workspaceName,
    createdAt,
    createdBy: createdBy ?? '',
    expiresAt,
    endedAt: end?.at ?? null,
  }
}
