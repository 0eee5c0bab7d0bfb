// The SQL of organisations.
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
