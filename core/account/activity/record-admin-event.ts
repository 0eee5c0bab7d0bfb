// Records an act in the panel or on the command line, in the transaction of the act.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { PersonCaller } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Activity } from './rules.ts'
import { insertAdminEvent } from './store.ts'

export interface AdminEvent {
  action: Activity
  /** Ids and names of what was changed, never a secret. */
  detail: { readonly [key: string]: JsonValue }
}

/** Adds one entry to the organisation's activity. */
export async function recordAdminEvent(
  sql: Sql,
  { orgId, personId, email, origin }: Pick<PersonCaller, 'orgId' | 'personId' | 'email' | 'origin'>,
  event: AdminEvent,
): Promise<void> {
  await insertAdminEvent(sql, orgId, { actor: { kind: 'person', personId, email }, origin, ...event })
}

/** Records an act of the operator on the command line, which has no client address. */
export async function recordOperatorEvent(sql: Sql, orgId: OrgId, event: AdminEvent): Promise<void> {
  await insertAdminEvent(sql, orgId, { actor: { kind: 'operator' }, origin: NO_CLIENT, ...event })
}

/** Records what the controller read from an object in Kubernetes; the detail gets its namespace and name if they are known. */
export async function recordKubernetesEvent(
  sql: Sql,
  orgId: OrgId,
  object: { namespace: string; name: string } | null,
  { action, detail }: AdminEvent,
): Promise<void> {
  const named = { ...detail, ...(object && { object: `${object.namespace}/${object.name}` }) }
  await insertAdminEvent(sql, orgId, { actor: { kind: 'kubernetes' }, origin: NO_CLIENT, action, detail: named })
}

const NO_CLIENT = { address: null, userAgent: null }
