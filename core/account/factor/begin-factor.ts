// Begins the set-up of a second factor: a new secret, without effect until a code of it confirms it.
import { lockPerson } from '#core/account/person/store.ts'
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

/** Replaces a set-up that was begun before. Throws FACTOR_ALREADY_SET, PASSWORD_SIGN_IN_OFF. */
export async function beginFactor(
  core: Pick<Core, 'database' | 'keys' | 'settings'>,
  { orgId, personId, email }: PersonCaller,
): Promise<BegunFactor> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const secret = newSecret()
  const box = core.keys.seal(secret, factorContext(personId))
  const isNew = await inOrganisation(core.database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    return putFactor(sql, orgId, personId, box)
  })
  if (!isNew) throw new DomainError('FACTOR_ALREADY_SET')
  return { otpauthUri: toOtpauthUri(secret, email), secret }
}
