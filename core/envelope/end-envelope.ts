// What cancelling and expiring share: links die, unsent mails are dropped, whoever has not signed is out, receivers are told.
import { type AuditEntry, recordAudit } from '#core/audit/record-audit.ts'
import { revokeOpenLinks } from '#core/ceremony/link-store.ts'
import type { Core } from '#core/context.ts'
import { recordEvent } from '#core/event/record-event.ts'
import type { OrgId } from '#core/ids.ts'
import { dropMails } from '#core/mail/store.ts'
import type { Sql } from '#core/postgres/client.ts'
import { releaseOpenEnvelope } from '#core/quota/reserve.ts'
import { endUnsigned } from '#core/signer/store.ts'
import { type LockedEnvelope, setEnvelopeStatus } from './store.ts'

/** Ends a locked envelope without completing it, in the transaction of whoever decided so. */
export async function endEnvelope(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  envelope: LockedEnvelope,
  status: 'CANCELLED' | 'EXPIRED',
  by: Pick<AuditEntry, 'actor' | 'origin'>,
): Promise<void> {
  const type = status === 'CANCELLED' ? 'envelope.cancelled' : 'envelope.expired'
  await setEnvelopeStatus(sql, orgId, envelope.id, status)
  await revokeOpenLinks(sql, orgId, envelope.id)
  await dropMails(sql, orgId, envelope.id)
  await endUnsigned(sql, orgId, envelope.id, status)
  await recordEvent(sql, orgId, type, { ...envelope, status })
  await recordAudit(sql, keys, orgId, envelope.id, { ...by, action: type })
  await releaseOpenEnvelope(sql, orgId)
}
