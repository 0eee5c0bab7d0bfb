// A signed-in person enters a code. A wrong one counts as a failed sign-in: otherwise an open browser could be used to guess codes without a limit.
import type { Core, PersonCaller } from '#core/context.ts'
import { admitAttempt, checkAttempt, countersOf, forgiveAttempt } from '#core/account/session/throttle-sign-in.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'

export type CodeCore = Pick<Core, 'database' | 'keys' | 'settings' | 'log'>

/** `act` checks the code and does what it permits, in one transaction; undefined means that the code is wrong. Throws FACTOR_CODE_WRONG; RATE_LIMITED after
 *  too many wrong codes; PASSWORD_SIGN_IN_OFF. */
export async function tryCode<Result>(
  core: CodeCore,
  caller: PersonCaller,
  device: string | undefined,
  act: (sql: Sql) => Promise<Result | undefined>,
): Promise<Result> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const { orgId, personId, email, origin } = caller
  const counters = countersOf(core.keys, { personId, email, device, origin })
  await admitAttempt(core, counters)
  const result = await checkAttempt(core, counters, () => inOrganisation(core.database, orgId, act))
  if (result === undefined) {
    core.log.warn({ orgId, personId, address: origin.address }, 'factor.refused')
    throw new DomainError('FACTOR_CODE_WRONG')
  }
  await forgiveAttempt(core, counters)
  return result
}
