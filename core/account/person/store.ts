// The SQL of an organisation's people: who may sign in to the panel, and their role.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Admin } from './admin-rules.ts'
import type { OidcAccount, Person, PersonOwner } from './person.ts'

export interface NewPerson {
  id: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  passwordHash: string | null
}

/** `isElsewhere`: the address already signs in to another organisation. Throws EMAIL_TAKEN for an address of this organisation, see postgres-error. */
export async function insertPerson(
  sql: Sql,
  orgId: OrgId,
  { id, email, name, role, passwordHash }: NewPerson,
): Promise<{ isElsewhere: boolean }> {
  await lockAddress(sql, email)
  const [row] = await sql<[{ isElsewhere: boolean }]>`
    insert into people (org_id, id, email, name, role, password_hash, is_elsewhere)
    values (${orgId}, ${id}, ${email}, ${name}, ${role}, ${passwordHash},
      exists (select from find_person_owner(${email}) o where o.org_id <> ${orgId}))
    returning is_elsewhere`
  return row
}

/** Repeats the check of an invited person's address: the other organisation may have removed them since. */
export async function renewAddress(sql: Sql, orgId: OrgId, { id, email }: Pick<Person, 'id' | 'email'>): Promise<void> {
  await lockAddress(sql, email)
  await sql`
    update people
    set is_elsewhere = exists (select from find_person_owner(${email}) o where o.org_id <> ${orgId})
    where org_id = ${orgId} and id = ${id}`
}

/** Until the transaction ends: otherwise two organisations could claim an address at the same time. */
async function lockAddress(sql: Sql, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('address ' || lower(${email} collate "C"), 0))`
}

/** The person who signs in with an email address; ASCII letters in any case. */
export async function findPersonOwner(sql: Sql, email: string): Promise<PersonOwner | undefined> {
  const [row] = await sql<PersonOwner[]>`select org_id, person_id from find_person_owner(${email})`
  return row
}

/** The person who is bound to an account at an identity provider. */
export async function findOidcOwner(sql: Sql, { issuer, subject }: OidcAccount): Promise<PersonOwner | undefined> {
  const [row] = await sql<PersonOwner[]>`select org_id, person_id from find_oidc_owner(${issuer}, ${subject})`
  return row
}

/** Binds a person to an account; false when they are bound to another one. Accounts of other issuers, from before the installation changed its identity
 *  provider, do not count. */
export async function bindOidcAccount(
  sql: Sql,
  orgId: OrgId,
  personId: PersonId,
  { issuer, subject }: OidcAccount,
): Promise<boolean> {
  const rows = await sql`
    update people set oidc_issuer = ${issuer}, oidc_subject = ${subject}
    where org_id = ${orgId} and id = ${personId}
      and (oidc_issuer is distinct from ${issuer} or oidc_subject = ${subject})
    returning id`
  return rows.length > 0
}

/** The next sign-in binds an account again. */
export async function unbindOidcAccount(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`update people set oidc_issuer = null, oidc_subject = null where org_id = ${orgId} and id = ${personId}`
}

export interface AccountRow {
  personId: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  passwordHash: string | null
  hasFactor: boolean
  /** The organisation requires a second factor, and the person has none. */
  lacksFactor: boolean
  organisationName: string
}

/** A person as the sign-in needs them. */
export async function findAccount(sql: Sql, orgId: OrgId, personId: PersonId): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select p.id as person_id, p.email, p.name, p.role, p.password_hash, f.person_id is not null as has_factor,
      o.require_second_factor and f.person_id is null as lacks_factor, o.name as organisation_name
    from people p
    join organisations o on o.id = p.org_id
    left join second_factors f on f.org_id = p.org_id and f.person_id = p.id and f.confirmed_at is not null
    where p.org_id = ${orgId} and p.id = ${personId}`
  return row
}

/** False when the person was removed or has another password than the one that was checked. Locks the row until the transaction ends, so that a
 *  password change either ends the session that follows or prevents it. */
export async function markSignedIn(sql: Sql, orgId: OrgId, { personId, passwordHash }: AccountRow): Promise<boolean> {
  const rows = await sql`
    update people set last_signed_in_at = sealwright_now()
    where org_id = ${orgId} and id = ${personId} and password_hash is not distinct from ${passwordHash}
    returning id`
  return rows.length > 0
}

export async function setPasswordHash(sql: Sql, orgId: OrgId, personId: PersonId, passwordHash: string): Promise<void> {
  await sql`update people set password_hash = ${passwordHash} where org_id = ${orgId} and id = ${personId}`
}

/** Selects people by name; with `only`, at most that person. */
async function selectPeople(sql: Sql, orgId: OrgId, only?: PersonId): Promise<Person[]> {
  return sql<Person[]>`
    select p.id, p.email, p.name, p.role, p.created_at, p.last_signed_in_at,
      p.password_hash is null and p.last_signed_in_at is null as is_invited, l.expires_at as setup_link_expires_at,
      f.person_id is not null as has_factor
    from people p
    left join second_factors f on f.org_id = p.org_id and f.person_id = p.id and f.confirmed_at is not null
    left join setup_links l on l.org_id = p.org_id and l.person_id = p.id
    where p.org_id = ${orgId} ${only ? sql`and p.id = ${only}` : sql``}
    order by lower(p.name), p.id`
}

/** All people, by name. */
export async function listPeople(sql: Sql, orgId: OrgId): Promise<Person[]> {
  return selectPeople(sql, orgId)
}

export async function findPerson(sql: Sql, orgId: OrgId, id: PersonId): Promise<Person | undefined> {
  const [row] = await selectPeople(sql, orgId, id)
  return row
}

/** The organisation's admins, locked against removal until the transaction ends. */
export async function lockAdmins(sql: Sql, orgId: OrgId): Promise<Admin[]> {
  return sql<Admin[]>`
    select id, password_hash is null and last_signed_in_at is null as is_invited
    from people
    where org_id = ${orgId} and role = 'ADMIN'
    order by id
    for no key update`
}

/** Locks people before rows that refer to them, so that a concurrent removal waits here and not in the middle. */
export async function keepPeople(sql: Sql, orgId: OrgId, ids: readonly PersonId[]): Promise<void> {
  await sql`select from people where org_id = ${orgId} and id = any(${sql.array([...ids])}::uuid[]) order by id for key share`
}

/** Locks a person whose row will change. */
export async function lockPerson(sql: Sql, orgId: OrgId, id: PersonId): Promise<void> {
  await sql`select from people where org_id = ${orgId} and id = ${id} for no key update`
}

export async function deletePerson(sql: Sql, orgId: OrgId, id: PersonId): Promise<void> {
  await sql`delete from people where org_id = ${orgId} and id = ${id}`
}

export async function updatePersonRow(
  sql: Sql,
  orgId: OrgId,
  { id, name, role }: Pick<Person, 'id' | 'name' | 'role'>,
): Promise<void> {
  await sql`update people set name = ${name}, role = ${role} where org_id = ${orgId} and id = ${id}`
}

/** Admins who can sign in to this organisation. */
export async function listAdminIds(sql: Sql, orgId: OrgId): Promise<PersonId[]> {
  const rows = await sql<{ id: PersonId }[]>`
    select id from people where org_id = ${orgId} and role = 'ADMIN' and not is_elsewhere order by created_at, id`
  return rows.map(({ id }) => id)
}
