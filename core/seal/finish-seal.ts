// Completes the seal job in one transaction after every copy is stored: marks, audit row, the held event, the job to make the
// audit report, and for each signer an email with
// a link to the copy.
import { appendAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { type ChainEnd, findChainEnd } from '#core/audit/store.ts'
import { setCopyTokens } from '#core/envelope/ceremony/link-store.ts'
import type { SystemCore } from '#core/context.ts'
import { insertReportJob, REPORT_WORK } from '#core/envelope/report-job.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import { releaseEventsOf } from '#core/event/store.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { recordMail } from '#core/mail/record-mail.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { deferOverQuota } from '#core/account/quota/reserve.ts'
import type { SealedEnvelope } from './seal-documents.ts'
import { jobMessage } from '#core/work/job.ts'
import { markJobDone } from '#core/work/job-store.ts'
import { listRetainedCopies, markSealsStored } from './store.ts'

/** Returns false without any effect when another worker has finished the envelope, or when the retention of its documents has ended. */
export async function finishSeal(
  core: SystemCore,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
  sealed: SealedEnvelope,
): Promise<boolean> {
  const isFirst = await inTransaction(core.database, async (sql) => {
    // Pipelined. The lock comes first, so that the other statements see everything committed before it.
    const [, , first, chainEnd] = await Promise.all([
      lockEnvelope(sql, orgId, envelopeId),
      markSealsStored(sql, orgId, envelopeId),
      markJobDone(sql, SEAL_WORK, { orgId, id: envelopeId }),
      findChainEnd(sql, orgId, envelopeId),
      releaseEventsOf(sql, orgId, envelopeId),
    ])
    if (first)
      await Promise.all([
        insertReportJob(sql, orgId, envelopeId),
        insertOutbox(sql, orgId, jobMessage(REPORT_WORK, { orgId, id: envelopeId })),
        recordSealed(sql, core, { orgId, envelopeId, chainEnd }, sealed),
      ])
    return first
  })
  if (!isFirst) await deleteExpiredCopies(core, { orgId, envelopeId }, sealed)
  return isFirst
}

async function recordSealed(
  sql: Sql,
  { keys, settings }: SystemCore,
  { orgId, envelopeId, chainEnd }: { orgId: OrgId; envelopeId: EnvelopeId; chainEnd: ChainEnd },
  sealed: SealedEnvelope,
): Promise<void> {
  const documents = sealed.documents.map(({ documentId, sha256, fingerprint }) => ({
    documentId,
    sha256: sha256.toString('hex'),
    fingerprint,
  }))
  // A new token, because only the hash of the first one is stored.
  const copies = sealed.signerIds.map((signerId) => ({ signerId, token: newToken() }))
  const mails = copies.map(
    ({ signerId, token }) => ({ envelopeId, signerId, template: 'COMPLETED', secret: token, held: false }) as const,
  )
  const hashes = copies.map(({ signerId, token }) => ({ signerId, tokenHash: hashToken(token) }))
  const [, , mailIds] = await Promise.all([
    appendAudit(sql, keys, orgId, envelopeId, chainEnd, { ...SYSTEM, action: 'envelope.sealed', detail: { documents } }),
    setCopyTokens(sql, orgId, envelopeId, hashes),
    recordMail(sql, keys, orgId, ...mails),
  ])
  deferOverQuota(sql, orgId, settings, mailIds)
}

/**
 * Deletes the copies that this run stored after the retention of the documents had ended; otherwise only the sweep of orphans would find
 * them.
 */
async function deleteExpiredCopies(
  { database, storage }: SystemCore,
  { orgId, envelopeId }: { orgId: OrgId; envelopeId: EnvelopeId },
  sealed: SealedEnvelope,
): Promise<void> {
  const retained = await listRetainedCopies(database, orgId, envelopeId)
  for (const { documentId, storageKey } of sealed.documents)
    if (!retained.some((row) => row.documentId === documentId)) await storage.delete(storageKey)
}
