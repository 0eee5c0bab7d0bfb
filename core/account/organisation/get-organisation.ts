// The organisation as its people see it: its own settings, and the use of its quotas.
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError, type QuotaUse } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import { readInOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { listQuotaUse } from '#core/account/quota/list-quota-use.ts'
import { findOrganisation, type OrganisationChoices } from './store.ts'

export interface Organisation extends OrganisationChoices {
  id: OrgId
  quotas: QuotaUse[]
  /** How many webhooks it may have. */
  webhookLimit: number
}

type SettingsCore = Pick<Core, 'database' | 'settings'>

/** With the current use. */
export async function getOrganisation(core: SettingsCore, { orgId }: PersonCaller): Promise<Organisation> {
  return readInOrganisation(core.database, orgId, (sql) => readOrganisation(sql, core, orgId))
}

/** Reads the organisation within a transaction. Throws ORGANISATION_NOT_FOUND. */
export async function readOrganisation(sql: Sql, { settings }: SettingsCore, orgId: OrgId): Promise<Organisation> {
  const choices = await findOrganisation(sql, orgId)
  if (!choices) throw new DomainError('ORGANISATION_NOT_FOUND')
  const quotas = await listQuotaUse(sql, orgId, settings)
  return { id: orgId, ...choices, quotas, webhookLimit: settings.webhookMaxPerOrg }
}
