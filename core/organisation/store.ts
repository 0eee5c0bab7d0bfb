// The SQL of organisations and the people who administer them.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'

export interface OrganisationRow {
  id: OrgId
  name: string
  createdAt: Date
}

export async function insertOrganisation(sql: Sql, id: OrgId, name: string): Promise<void> {
  await sql`insert into organisations (id, name) values (${id}, ${name})`
}

export async function listOrganisations(sql: Sql): Promise<OrganisationRow[]> {
  return sql<OrganisationRow[]>`select id, name, created_at from organisations order by created_at, id`
}

export async function insertAdmin(
  sql: Sql,
  orgId: OrgId,
  admin: { id: string; email: string; name: string; passwordHash: string | null },
): Promise<void> {
  await sql`
    insert into people (org_id, id, email, name, role, password_hash)
    values (${orgId}, ${admin.id}, ${admin.email}, ${admin.name}, 'ADMIN', ${admin.passwordHash})`
}
