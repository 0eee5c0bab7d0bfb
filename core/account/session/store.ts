// The SQL of panel sessions. A session is valid until it is idle too long or too old, by the database clock.
import type { OrgId, PersonId } from '#core/ids.ts'
import { FACTOR_PROOF_SECONDS, SESSION_IDLE_SECONDS, SESSION_LIFETIME_SECONDS, SESSION_SEEN_EVERY_SECONDS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface NewSession {
  personId: PersonId
  tokenHash: Buffer
  /** When the person proved the second factor: `now`, or in an earlier session, which counts as an old proof. Absent: never, because there is none. */
  factorProof?: 'now' | 'before' | undefined
}

export async function insertSession(sql: Sql, orgId: OrgId, { personId, tokenHash, factorProof }: NewSession): Promise<void> {
  await sql`
    insert into sessions (org_id, token_hash, person_id, factor_at)
    values (${orgId}, ${tokenHash}, ${personId}, case ${factorProof ?? 'never'} when 'now' then sealwright_now()
      when 'before' then sealwright_now() - make_interval(secs => ${FACTOR_PROOF_SECONDS}) end)`
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
  /** The session has proved the person's second factor; false when there is none. */
  hasFactor: boolean
  /** Whether the factor was proved within FACTOR_PROOF_SECONDS. */
  isFactorRecent: boolean
  /** The organisation requires a second factor, and the person has none. */
  lacksFactor: boolean
  /** Its last-seen time is old enough to be updated. */
  isStale: boolean
}

/** The person of a valid session. Once a person has a second factor, only sessions that have proved it are valid; unless `withFactors` is false, because an
 *  identity provider decides. */
export async function findSession(
  sql: Sql,
  orgId: OrgId,
  { tokenHash, withFactors }: { tokenHash: Buffer; withFactors: boolean },
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select s.person_id, p.role, p.email, p.name, o.name as organisation_name, f.person_id is not null as has_factor,
      coalesce(s.factor_at > sealwright_now() - make_interval(secs => ${FACTOR_PROOF_SECONDS}), false) as is_factor_recent,
      ${withFactors} and o.require_second_factor and f.person_id is null as lacks_factor,
      s.seen_at < sealwright_now() - make_interval(secs => ${SESSION_SEEN_EVERY_SECONDS}) as is_stale
    from sessions s
    join people p on p.org_id = s.org_id and p.id = s.person_id
    join organisations o on o.id = s.org_id
    left join second_factors f on ${withFactors} and f.org_id = s.org_id and f.person_id = s.person_id and f.confirmed_at is not null
    where s.org_id = ${orgId} and s.token_hash = ${tokenHash}
      and s.seen_at > sealwright_now() - make_interval(secs => ${SESSION_IDLE_SECONDS})
      and s.created_at > sealwright_now() - make_interval(secs => ${SESSION_LIFETIME_SECONDS})
      and (f.person_id is null or s.factor_at is not null)`
  return row
}

export async function markSessionSeen(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<void> {
  await sql`update sessions set seen_at = sealwright_now() where org_id = ${orgId} and token_hash = ${tokenHash}`
}

export async function markFactorProved(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<void> {
  await sql`update sessions set factor_at = sealwright_now() where org_id = ${orgId} and token_hash = ${tokenHash}`
}

export async function deleteSession(sql: Sql, orgId: OrgId, tokenHash: Buffer): Promise<void> {
  await sql`delete from sessions where org_id = ${orgId} and token_hash = ${tokenHash}`
}

export async function deleteSessionsOf(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`delete from sessions where org_id = ${orgId} and person_id = ${personId}`
}

/** All but the one with this token. */
export async function deleteOtherSessions(sql: Sql, orgId: OrgId, personId: PersonId, tokenHash: Buffer): Promise<void> {
  await sql`delete from sessions where org_id = ${orgId} and person_id = ${personId} and token_hash <> ${tokenHash}`
}

/** Deletes at most `limit` expired sessions of all organisations; returns how many. */
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
