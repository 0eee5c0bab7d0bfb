// The second factor as its person sees it.
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { type FactorState, findFactorState } from './store.ts'

/** With an identity provider, the factor is the provider's: none is set or required here. */
export async function getFactor(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  { orgId, personId }: PersonCaller,
): Promise<FactorState> {
  if (settings.oidcIssuer) return { set: false, required: false, recoveryCodesLeft: 0 }
  const state = await readInOrganisation(database, orgId, (sql) => findFactorState(sql, orgId, personId))
  if (!state) throw new DomainError('ORGANISATION_NOT_FOUND')
  return state
}
