// The SQL of organisations.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Locale } from '#core/platform/text/locale.ts'

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

/** The settings of an organisation. */
export interface OrganisationChoices {
  name: string
  locale: Locale
  /** How long sealed files are kept; null: the installation's setting. */
  retentionDays: number | null
  /** People without a second factor can only set one up; not with an identity provider. */
  requireSecondFactor: boolean
}

export type OrganisationChanges = { [Choice in keyof OrganisationChoices]?: OrganisationChoices[Choice] | undefined }

export async function findOrganisation(sql: Sql, orgId: OrgId): Promise<OrganisationChoices | undefined> {
  const [row] = await sql<OrganisationChoices[]>`
    select name, locale, retention_days, require_second_factor from organisations where id = ${orgId}`
  return row
}

/** Changes the given settings; `retentionDays: null` is a value, too. */
export async function updateOrganisationChoices(sql: Sql, orgId: OrgId, changes: OrganisationChanges): Promise<void> {
  await sql`
    update organisations
    set name = coalesce(${changes.name ?? null}, name),
      locale = coalesce(${changes.locale ?? null}, locale),
      require_second_factor = coalesce(${changes.requireSecondFactor ?? null}, require_second_factor),
      retention_days = ${changes.retentionDays === undefined ? sql`retention_days` : changes.retentionDays}
    where id = ${orgId}`
}
