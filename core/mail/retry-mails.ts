// Sends mails again that failed to go out, with their failures counted anew: whoever was to blame, a server or its settings, is mended by now.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { dueMessage } from './record-mail.ts'
import { type MailChoice, resetMails } from './unsent-store.ts'

/** Records in the same transaction how many mails of an organisation are queued again. */
export type RecordRetry = (sql: Sql, orgId: OrgId, mails: number) => Promise<void>

/** How many are queued. Needs a database of the system role. */
export async function retryMails(core: Pick<Core, 'database'>, choice: MailChoice, record: RecordRetry): Promise<number> {
  return inTransaction(core.database, async (sql) => {
    const reset = await resetMails(sql, choice)
    for (const [orgId, mails] of Map.groupBy(reset, (mail) => mail.orgId)) {
      await insertOutbox(sql, orgId, ...mails.map(({ id, traceParent }) => ({ ...dueMessage(orgId, id), traceParent })))
      await record(sql, orgId, mails.length)
    }
    return reset.length
  })
}
