// Who did what in the panel or by command line, written in the transaction that makes it true.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { PersonCaller } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
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
  event: AdminEvent,
): Promise<void> {
  await insertAdminEvent(sql, orgId, { actor: { kind: 'person', personId, email }, origin, ...event })
}

/** The same for what the operator does by command line, which has no address. */
export async function recordOperatorEvent(sql: Sql, orgId: OrgId, event: AdminEvent): Promise<void> {
  await insertAdminEvent(sql, orgId, { actor: { kind: 'operator' }, origin: { address: null, userAgent: null }, ...event })
}
