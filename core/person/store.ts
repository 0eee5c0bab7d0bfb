// The SQL of an organisation's people: who may sign in to the panel, and as what.
import type { OrgId, PersonId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'

export interface NewPerson {
  id: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  passwordHash: string | null
}

export async function insertPerson(sql: Sql, orgId: OrgId, { id, email, name, role, passwordHash }: NewPerson): Promise<void> {
  await sql`
    insert into people (org_id, id, email, name, role, password_hash)
    values (${orgId}, ${id}, ${email}, ${name}, ${role}, ${passwordHash})`
}

/** Whose e-mail address it is, whatever its case; the one look-up before the organisation is known. */
export async function findPersonOwner(sql: Sql, email: string): Promise<{ orgId: OrgId; personId: PersonId } | undefined> {
  const [row] = await sql<{ orgId: OrgId; personId: PersonId }[]>`select org_id, person_id from find_person_owner(${email})`
  return row
}

export interface AccountRow {
  personId: PersonId
  email: string
  name: string
  role: 'ADMIN' | 'MEMBER'
  passwordHash: string | null
  organisationName: string
}

/** A person as the sign-in needs them. */
export async function findAccount(sql: Sql, orgId: OrgId, personId: PersonId): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    select p.id as person_id, p.email, p.name, p.role, p.password_hash, o.name as organisation_name
    from people p
    join organisations o on o.id = p.org_id
    where p.org_id = ${orgId} and p.id = ${personId}`
  return row
}

export async function markSignedIn(sql: Sql, orgId: OrgId, personId: PersonId): Promise<void> {
  await sql`update people set last_signed_in_at = sealwright_now() where org_id = ${orgId} and id = ${personId}`
}

export async function setPasswordHash(sql: Sql, orgId: OrgId, personId: PersonId, passwordHash: string): Promise<void> {
  await sql`update people set password_hash = ${passwordHash} where org_id = ${orgId} and id = ${personId}`
}
