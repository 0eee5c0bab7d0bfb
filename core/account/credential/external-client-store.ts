// The SQL of credentials that stand for clients of external issuers.
import type { CredentialId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface ExternalClient {
  issuer: string
  orgId: OrgId
  clientId: string
}

/** `last used` is updated at most this often. */
const IDLE_AFTER_SECONDS = 60

export type FoundClient = { id: CredentialId; isRevoked: boolean; isIdle: boolean } | 'new' | 'no organisation'

/** The client's row, or which of two things is missing. */
export async function findExternalClient(sql: Sql, { orgId, issuer, clientId }: ExternalClient): Promise<FoundClient> {
  const [row] = await sql<{ id: CredentialId | null; isRevoked: boolean; isIdle: boolean }[]>`
    select c.id, c.revoked_at is not null as is_revoked,
      c.revoked_at is null and coalesce(c.last_used_at < sealwright_now() - make_interval(secs => ${IDLE_AFTER_SECONDS}), true) as is_idle
    from organisations o
    left join credentials c on c.org_id = o.id and c.issuer = ${issuer} and c.client_id = ${clientId}
    where o.id = ${orgId}`
  if (!row) return 'no organisation'
  return row.id ? { ...row, id: row.id } : 'new'
}

/** Any constant: the advisory lock for adding clients to an organisation, together with the hash of its id. */
const EXTERNAL_CLIENT_LOCK = 7_325_004

export async function lockExternalClients(sql: Sql, orgId: OrgId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${EXTERNAL_CLIENT_LOCK}, hashtext(${orgId}))`
}

/** Includes revoked ones, which keep their place, so that a client cannot return as a new one. */
export async function countExternalClients(sql: Sql, orgId: OrgId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from credentials where org_id = ${orgId} and issuer is not null`
  return row?.count ?? 0
}

export async function insertExternalClient(
  sql: Sql,
  { orgId, issuer, clientId }: ExternalClient,
  id: CredentialId,
): Promise<void> {
  await sql`
    insert into credentials (org_id, id, client_id, name, issuer, last_used_at)
    values (${orgId}, ${id}, ${clientId}, ${clientId}, ${issuer}, sealwright_now())`
}

/** Records the use of a client. One of several concurrent updates writes; the others find it done. */
export async function markUsed(sql: Sql, orgId: OrgId, id: CredentialId): Promise<void> {
  await sql`
    update credentials
    set last_used_at = sealwright_now()
    where org_id = ${orgId} and id = (
      select id from credentials where org_id = ${orgId} and id = ${id} for update skip locked)`
}
