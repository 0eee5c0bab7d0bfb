// The organisation, as answers hold it.
import type { Organisation } from '#core/account/organisation/get-organisation.ts'
import type { OrganisationResponse } from '../schemas/organisation-record.ts'

export function toOrganisationResponse(organisation: Organisation): OrganisationResponse {
  const { id, name, locale, retentionDays, requireSecondFactor, quotas, webhookLimit } = organisation
  return { id, name, locale, retentionDays, requireSecondFactor, quotas, webhookLimit }
}
