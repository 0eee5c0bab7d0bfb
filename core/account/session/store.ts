// The SQL of panel sessions. A session is valid until it is idle too long or too old, by the database clock.
import type { OrgId, PersonId } from '#core/ids.ts'
import { SESSION_IDLE_SECONDS, SESSION_LIFETIME_SECONDS, SESSION_SEEN_EVERY_SECONDS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export async function insertSession(sql: Sql, orgId: OrgId, personId: PersonId, tokenHash: Buffer): Promise<void> {
  await sql`insert into sessions (org_id, token_hash, person_id) values (${orgId}, ${tokenHash}, ${personId})`
}

/** The organisation of a session; the only look-up before the organisation is known. */
export async function findSessionOwner(sql: Sql, tokenHash: Buffer): Promise<OrgId | undefined> {
  const [row] = await sql<{ orgId: OrgId }[]>`select org_id from find_session_owner(${tokenHash})`
  return row?.orgId
}

export interface SessionRow {
  personId: PersonId
  role: 'ADMIN' | 'MEMBER'
  email: string
  name: string
  organisationName: string
  /** Its last-seen time is old enough to be updated. */
  isStale: boolean
}

/** The person of a valid session. */
export async function findSession(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select s.person_id, p.role, p.email, p.name, o.name as organisation_name,
      s.seen_at < sealwright_now() - make_interval(secs => ${SESSION_SEEN_EVERY_SECONDS}) as is_stale
    from sessions s
    join people p on p.org_id = s.org_id and p.id = s.person_id
    join organisations o on o.id = s.org_id
    where s.org_id = ${orgId} and s.token_hash = ${tokenHash}
      and s.seen_at > sealwright_now() - make_interval(secs => ${SESSION_IDLE_SECONDS})
      and s.created_at > sealwright_now() - make_interval(secs => ${SESSION_LIFETIME_SECONDS})`
  return row
}

export async function markSessionSeen(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<void> {
  await sql`update sessions set seen_at = sealwright_now() where org_id = ${orgId} and token_hash = ${tokenHash}`
}

export async function deleteSession(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<void> {
  await sql`delete from sessions where org_id = ${orgId} and token_hash = ${tokenHash}`
}

export async function deleteSessionsOf(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`delete from sessions where org_id = ${orgId} and person_id = ${personId}`
}

/** Of all organisations, at most `limit`; returns how many. */
export async function deleteExpiredSessions(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    delete from sessions
    where token_hash in (
      select token_hash from sessions
      where seen_at <= sealwright_now() - make_interval(secs => ${SESSION_IDLE_SECONDS})
        or created_at <= sealwright_now() - make_interval(secs => ${SESSION_LIFETIME_SECONDS})
      limit ${limit}
      for update skip locked)`
  return count
}
