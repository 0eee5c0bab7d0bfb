// The SQL of second factors and their recovery codes.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface FactorRow {
  secretBox: Buffer
  isConfirmed: boolean
  lastStep: number
  /** The database's clock. */
  nowSeconds: number
}

/** To be read after `lockPerson`: of two concurrent uses of a code, the second then sees the first. */
export async function findFactor(sql: Sql, orgId: OrgId, personId: PersonId): Promise<FactorRow | undefined> {
  const [row] = await sql<FactorRow[]>`
    select secret_box, confirmed_at is not null as is_confirmed, last_step, extract(epoch from sealwright_now())::float as now_seconds
    from second_factors
    where org_id = ${orgId} and person_id = ${personId}`
  return row
}

/** Replaces a secret that was not confirmed. False when there is a confirmed one. */
export async function putFactor(sql: Sql, orgId: OrgId, personId: PersonId, secretBox: Buffer): Promise<boolean> {
  const rows = await sql`
    insert into second_factors as f (org_id, person_id, secret_box)
    values (${orgId}, ${personId}, ${secretBox})
    on conflict (org_id, person_id) do update set secret_box = excluded.secret_box, created_at = excluded.created_at
    where f.confirmed_at is null
    returning person_id`
  return rows.length > 0
}

/** Confirms the factor with a code of this time step. */
export async function confirmFactorRow(sql: Sql, orgId: OrgId, personId: PersonId, step: number): Promise<void> {
  await sql`
    update second_factors set confirmed_at = sealwright_now(), last_step = ${step}
    where org_id = ${orgId} and person_id = ${personId}`
}

export async function setLastStep(sql: Sql, orgId: OrgId, personId: PersonId, step: number): Promise<void> {
  await sql`update second_factors set last_step = ${step} where org_id = ${orgId} and person_id = ${personId}`
}

/** With its recovery codes. False when there was no confirmed one. */
export async function deleteFactor(sql: Sql, orgId: OrgId, personId: PersonId): Promise<boolean> {
  const rows = await sql<{ isConfirmed: boolean }[]>`
    delete from second_factors where org_id = ${orgId} and person_id = ${personId}
    returning confirmed_at is not null as is_confirmed`
  return rows.some(({ isConfirmed }) => isConfirmed)
}

export interface FactorState {
  set: boolean
  required: boolean
  recoveryCodesLeft: number
}

/** What a person sees of the own factor. */
export async function findFactorState(sql: Sql, orgId: OrgId, personId: PersonId): Promise<FactorState | undefined> {
  const [row] = await sql<FactorState[]>`
    select f.person_id is not null as set, o.require_second_factor as required,
      (select count(*) from recovery_codes c where c.org_id = f.org_id and c.person_id = f.person_id)::int as recovery_codes_left
    from organisations o
    left join second_factors f on f.org_id = o.id and f.person_id = ${personId} and f.confirmed_at is not null
    where o.id = ${orgId}`
  return row
}

/** Earlier codes stop working. */
export async function replaceRecoveryCodes(sql: Sql, orgId: OrgId, personId: PersonId, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from recovery_codes where org_id = ${orgId} and person_id = ${personId}`
  await sql`
    insert into recovery_codes (org_id, person_id, code_hash)
    select ${orgId}, ${personId}, decode(hash, 'hex')
    from unnest(${sql.array(hashes.map((hash) => hash.toString('hex')))}::text[]) hash`
}

/** Uses up a recovery code. False when it is none, or was used. */
export async function takeRecoveryCode(sql: Sql, orgId: OrgId, personId: PersonId, codeHash: Buffer): Promise<boolean> {
  const rows = await sql`
    delete from recovery_codes where org_id = ${orgId} and person_id = ${personId} and code_hash = ${codeHash}
    returning person_id`
  return rows.length > 0
}
