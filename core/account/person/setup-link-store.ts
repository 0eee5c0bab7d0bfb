// The SQL of set-up links: at most one per person, the token only as a hash.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Replaces an earlier link. */
export async function putSetupLink(
  sql: Sql,
  orgId: OrgId,
  personId: PersonId,
  { tokenHash, ttlHours }: { tokenHash: Buffer; ttlHours: number },
): Promise<void> {
  await sql`
    insert into setup_links (org_id, person_id, token_hash, expires_at)
    values (${orgId}, ${personId}, ${tokenHash}, sealwright_now() + make_interval(hours => ${ttlHours}))
    on conflict (org_id, person_id) do update
    set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`
}

/** The organisation of a link; the only look-up before the organisation is known. */
export async function findSetupLinkOwner(sql: Sql, tokenHash: Buffer): Promise<OrgId | undefined> {
  const [row] = await sql<{ orgId: OrgId }[]>`select org_id from find_setup_link_owner(${tokenHash})`
  return row?.orgId
}

export interface Invited {
  personId: PersonId
  email: string
  hadPassword: boolean
}

/** The person of a link that is still valid. */
export async function findInvited(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<Invited | undefined> {
  const [row] = await sql<Invited[]>`
    select p.id as person_id, p.email, p.password_hash is not null as had_password
    from setup_links l
    join people p on p.org_id = l.org_id and p.id = l.person_id
    where l.org_id = ${orgId} and l.token_hash = ${tokenHash} and l.expires_at > sealwright_now()`
  return row
}

/** Uses up the link. False when it was used, replaced or expired meanwhile: of two concurrent calls one gets true. */
export async function takeSetupLink(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`
    delete from setup_links
    where org_id = ${orgId} and token_hash = ${tokenHash} and expires_at > sealwright_now()
    returning person_id`
  return rows.length > 0
}

/** Deletes at most `limit` expired links of all organisations; returns how many. */
export async function deleteExpiredSetupLinks(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from setup_links
    where token_hash in (
      select token_hash from setup_links where expires_at <= sealwright_now() limit ${limit} for update skip locked)`
  return count
}
