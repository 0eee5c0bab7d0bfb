// A signed-in person changes the password. The old one is required, because an open browser does not prove the person.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { recordPasswordMail } from '#core/mail/record-mail.ts'
import { assertGoodPassword } from '#core/account/person/rules.ts'
import { type AccountRow, lockPerson, setPasswordHash } from '#core/account/person/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type PasswordProof, provePassword } from '#core/account/session/prove-password.ts'
import { type StartedSession, startSession } from '#core/account/session/start-session.ts'
import { deleteSessionsOf } from '#core/account/session/store.ts'

export interface ChangePasswordInput extends PasswordProof {
  newPassword: string
}

/** Ends every session of the caller and returns a new one. Throws what `provePassword` throws, and PASSWORD_TOO_WEAK. */
export async function changePassword(
  core: Pick<Core, 'database' | 'keys' | 'settings' | 'log'>,
  caller: PersonCaller,
  { newPassword, ...proof }: ChangePasswordInput,
): Promise<StartedSession> {
  const { orgId, personId, email, origin } = caller
  const account = await provePassword(core, caller, proof)
  assertGoodPassword(newPassword, { email })
  const started = await replacePassword(core, caller, account, await hashPassword(newPassword))
  // The password was changed while this one was being checked.
  if (!started) throw new DomainError('PASSWORD_WRONG')
  core.log.info({ orgId, personId, address: origin.address }, 'password.changed')
  return started
}

async function replacePassword(
  core: Pick<Core, 'database' | 'keys'>,
  caller: PersonCaller,
  account: AccountRow,
  passwordHash: string,
): Promise<StartedSession | undefined> {
  // Of the caller's session, not of the account: a factor that was set up meanwhile ends the new session. The password does not renew its proof.
  const { orgId, personId, origin, hasFactor = false } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    await deleteSessionsOf(sql, orgId, personId)
    const started = await startSession(sql, orgId, account, {
      method: 'password',
      origin,
      factorProof: hasFactor ? 'before' : undefined,
    })
    if (!started) return undefined
    await setPasswordHash(sql, orgId, personId, passwordHash)
    await recordAdminEvent(sql, caller, { action: 'password.set', detail: {} })
    // Without a quota: otherwise an attacker could suppress it by using the quota up.
    await recordPasswordMail(sql, core.keys, orgId, { personId, address: origin.address ?? '' })
    return started
  })
}
