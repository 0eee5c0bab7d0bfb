// Who did what in the panel, written in the transaction that makes it true.
import type { JsonValue } from '#core/audit/canonical-json.ts'
import type { PersonCaller } from '#core/context.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { Activity } from './rules.ts'
import { insertAdminEvent } from './store.ts'

export interface AdminEvent {
  action: Activity
  /** What it was done to: ids and names, never a secret. */
  detail: { readonly [key: string]: JsonValue }
}

/** Adds one line to the organisation's activity. */
export async function recordAdminEvent(
  sql: Sql,
  { orgId, personId, email, origin }: Pick<PersonCaller, 'orgId' | 'personId' | 'email' | 'origin'>,
  { action, detail }: AdminEvent,
): Promise<void> {
  await insertAdminEvent(sql, orgId, { personId, email, action, detail, origin })
}
