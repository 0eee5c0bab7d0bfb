// Sends mails again that failed to go out, with their failures counted anew: whoever was to blame, a server or its settings, is mended by now.
import { recordOperatorEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core } from '#core/context.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { dueMessage } from './record-mail.ts'
import { type MailChoice, resetMails } from './unsent-store.ts'

/** How many are queued. Needs a database of the system role. */
export async function retryMails(core: Pick<Core, 'database'>, choice: MailChoice): Promise<number> {
  return inTransaction(core.database, async (sql) => {
    const reset = await resetMails(sql, choice)
    for (const [orgId, mails] of Map.groupBy(reset, (mail) => mail.orgId)) {
      await insertOutbox(sql, orgId, ...mails.map(({ id, traceParent }) => ({ ...dueMessage(orgId, id), traceParent })))
      const envelope = typeof choice === 'object' && 'envelopeId' in choice ? choice : {}
      await recordOperatorEvent(sql, orgId, { action: 'mail.retried', detail: { mails: mails.length, ...envelope } })
    }
    return reset.length
  })
}
