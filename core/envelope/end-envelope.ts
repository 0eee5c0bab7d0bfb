// The common part of cancelling and expiring: revokes links, drops unsent emails, ends unsigned signers, records events, wants
// the audit report.
import { appendAudit, type AuditEntry } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import { revokeOpenLinks } from '#core/envelope/ceremony/link-store.ts'
import type { Core } from '#core/context.ts'
import { insertReportJob, REPORT_WORK } from '#core/envelope/report-job.ts'
import { newEvents } from '#core/event/record-event.ts'
import { insertEvents } from '#core/event/store.ts'
import type { OrgId } from '#core/ids.ts'
import { dropMails } from '#core/mail/store.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { jobMessage } from '#core/work/job.ts'
import { release } from '#core/account/quota/reserve.ts'
import { endUnsigned } from '#core/envelope/signer/store.ts'
import { type LockedEnvelope, setEnvelopeStatus } from './store.ts'

/** Ends a locked envelope without completing it, within the caller's transaction. */
export async function endEnvelope(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  envelope: LockedEnvelope,
  status: 'CANCELLED' | 'EXPIRED',
  by: Pick<AuditEntry, 'actor' | 'origin'>,
): Promise<void> {
  const type = status === 'CANCELLED' ? 'envelope.cancelled' : 'envelope.expired'
  const { id } = envelope
  const events = newEvents({ type, envelope: { ...envelope, status } })
  const [end] = await Promise.all([
    findChainEnd(sql, orgId, id),
    setEnvelopeStatus(sql, orgId, id, status),
    revokeOpenLinks(sql, orgId, id),
    dropMails(sql, orgId, id),
    endUnsigned(sql, orgId, id, status),
    insertReportJob(sql, orgId, id),
    insertEvents(sql, orgId, events),
    insertOutbox(sql, orgId, jobMessage(REPORT_WORK, { orgId, id })),
  ])
  await appendAudit(sql, keys, orgId, id, end, { ...by, action: type })
  release(sql, orgId, { openEnvelopes: 1 })
}
