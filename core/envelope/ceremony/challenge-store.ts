// The SQL of one-time codes: stores only an HMAC of a code, and counts tries in its row.
import type { ChallengeId, OrgId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface Challenge {
  id: ChallengeId
  codeHmac: Buffer
  tries: number
  isClosed: boolean
  ageSeconds: number
  expiresInSeconds: number
}

/** The link's latest challenge. Its age is clamped at zero: a request that began earlier may get the lock later. */
export async function findLatestChallenge(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<Challenge | undefined> {
  const [row] = await sql<Challenge[]>`
    select id, code_hmac, tries, closed_at is not null as is_closed,
      greatest(extract(epoch from sealwright_now() - created_at), 0)::float as age_seconds,
      extract(epoch from expires_at - sealwright_now())::float as expires_in_seconds
    from otp_challenges
    where org_id = ${orgId} and signer_id = ${signerId}
    order by created_at desc
    limit 1`
  return row
}

export async function findChallenge(sql: Sql, orgId: OrgId, signerId: SignerId, id: ChallengeId): Promise<Challenge | undefined> {
  const [row] = await sql<Challenge[]>`
    select id, code_hmac, tries, closed_at is not null as is_closed, extract(epoch from sealwright_now() - created_at)::float as age_seconds,
      extract(epoch from expires_at - sealwright_now())::float as expires_in_seconds
    from otp_challenges
    where org_id = ${orgId} and signer_id = ${signerId} and id = ${id}`
  return row
}

export async function insertChallenge(
  sql: Sql,
  orgId: OrgId,
  signerId: SignerId,
  challenge: { id: ChallengeId; codeHmac: Buffer; ttlSeconds: number },
): Promise<void> {
  await sql`
    insert into otp_challenges (org_id, id, signer_id, code_hmac, expires_at)
    values (${orgId}, ${challenge.id}, ${signerId}, ${challenge.codeHmac}, sealwright_now() + make_interval(secs => ${challenge.ttlSeconds}))`
}

/** A new code invalidates earlier ones. */
export async function closeChallenges(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<void> {
  await sql`
    update otp_challenges set closed_at = sealwright_now() where org_id = ${orgId} and signer_id = ${signerId} and closed_at is null`
}

/** Counts one try; the last allowed try and a right code close the challenge. */
export async function countTry(
  sql: Sql,
  orgId: OrgId,
  id: ChallengeId,
  outcome: { maxTries: number; verified: boolean },
): Promise<void> {
  await sql`
    update otp_challenges
    set tries = tries + 1,
      closed_at = case when ${outcome.verified} or tries + 1 >= ${outcome.maxTries} then sealwright_now() else closed_at end
    where org_id = ${orgId} and id = ${id}`
}

/** Records a wrong code and returns how many there were within the last hour. */
export async function countFailure(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with failure as (
      insert into otp_failures (org_id, signer_id) values (${orgId}, ${signerId}))
    select count(*)::int + 1 as count -- one statement does not see what it inserts
    from otp_failures
    where org_id = ${orgId} and signer_id = ${signerId} and at > sealwright_now() - interval '1 hour'`
  return row?.count ?? 0
}

export interface CodesSent {
  lastHour: number
  lastDay: number
  /** Seconds until the oldest code of the hour, or of the day, no longer counts. */
  hourFreesInSeconds: number
  dayFreesInSeconds: number
}

/** How many codes were recently sent for this link. */
export async function countCodesSent(sql: Sql, orgId: OrgId, signerId: SignerId): Promise<CodesSent> {
  const [row] = await sql<CodesSent[]>`
    select count(*) filter (where recent)::int as last_hour, count(*)::int as last_day,
      coalesce(ceil(extract(epoch from min(created_at) filter (where recent) + interval '1 hour' - sealwright_now())), 0)::int as hour_frees_in_seconds,
      coalesce(ceil(extract(epoch from min(created_at) + interval '1 day' - sealwright_now())), 0)::int as day_frees_in_seconds
    from (
      select created_at, created_at > sealwright_now() - interval '1 hour' as recent
      from otp_challenges
      where org_id = ${orgId} and signer_id = ${signerId} and created_at > sealwright_now() - interval '1 day') c`
  return row ?? { lastHour: 0, lastDay: 0, hourFreesInSeconds: 0, dayFreesInSeconds: 0 }
}
