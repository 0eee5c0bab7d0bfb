// Begins the set-up of a second factor: a new secret, without effect until a code of it confirms it. The password is required, because an open browser
// does not prove the person, whom a factor of another would lock out.
import { lockPerson } from '#core/account/person/store.ts'
import { type PasswordProof, provePassword } from '#core/account/session/prove-password.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { factorContext } from './factor-context.ts'
import { putFactor } from './store.ts'
import { newSecret, toOtpauthUri } from './totp.ts'

export interface BegunFactor {
  /** For the QR code. */
  otpauthUri: string
  /** Secret for typing, in base32. */
  secret: string
}

/** Replaces a set-up that was begun before. Throws FACTOR_ALREADY_SET, and what `provePassword` throws. */
export async function beginFactor(
  core: Pick<Core, 'database' | 'keys' | 'settings' | 'log'>,
  caller: PersonCaller,
  proof: PasswordProof,
): Promise<BegunFactor> {
  const { orgId, personId, email } = caller
  await provePassword(core, caller, proof)
  const secret = newSecret()
  const box = core.keys.seal(secret, factorContext(personId))
  const isNew = await inOrganisation(core.database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    return putFactor(sql, orgId, personId, box)
  })
  if (!isNew) throw new DomainError('FACTOR_ALREADY_SET')
  return { otpauthUri: toOtpauthUri(secret, email), secret }
}
