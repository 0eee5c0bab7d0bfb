// Proves a signed-in person by the password, before an act for which an open browser is not enough.
import { type AccountRow, findAccount } from '#core/account/person/store.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { admitAttempt, checkPassword, countersOf, forgiveAttempt } from './throttle-sign-in.ts'

export interface PasswordProof {
  currentPassword: string
  /** The device cookie of an earlier sign-in. */
  device: string | undefined
}

/** Returns the account. Throws PASSWORD_WRONG, which counts as a failed sign-in; RATE_LIMITED after too many of these; PASSWORD_SIGN_IN_OFF. */
export async function provePassword(
  core: Pick<Core, 'database' | 'keys' | 'settings' | 'log'>,
  { orgId, personId, email, origin }: PersonCaller,
  { currentPassword, device }: PasswordProof,
): Promise<AccountRow> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const counters = countersOf(core.keys, { personId, email, device, origin })
  await admitAttempt(core, counters)
  const account = await inOrganisation(core.database, orgId, (sql) => findAccount(sql, orgId, personId))
  const { isRight } = await checkPassword(core, counters, { password: currentPassword, hash: account?.passwordHash ?? null })
  if (!account || !isRight) throw new DomainError('PASSWORD_WRONG')
  await forgiveAttempt(core, counters)
  return account
}
