// A person sets their password with a set-up link. All their sessions end.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { dropInvitations } from '#core/mail/person-mail-store.ts'
import { recordPasswordMail } from '#core/mail/record-mail.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { forgetFailures } from '#core/account/session/throttle-sign-in.ts'
import { deleteSessionsOf } from '#core/account/session/store.ts'
import { assertGoodPassword } from '#core/account/person/rules.ts'
import { findInvited, findSetupLinkOwner, takeSetupLink } from '#core/account/person/setup-link-store.ts'
import { lockPerson, setPasswordHash } from '#core/account/person/store.ts'

export interface SetPasswordInput {
  setupToken: string
  password: string
}

/** Uses up the link. Throws SETUP_LINK_NOT_FOUND for one that is unknown, used, replaced or older than 72 hours; PASSWORD_TOO_WEAK, which keeps the
 *  link valid; PASSWORD_SIGN_IN_OFF. */
export async function setPassword(
  core: Pick<Core, 'database' | 'keys' | 'settings' | 'log'>,
  { setupToken, password }: SetPasswordInput,
  origin: ClientInfo,
): Promise<void> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const tokenHash = hashToken(setupToken)
  const orgId = await findSetupLinkOwner(core.database, tokenHash)
  const person = orgId && (await inOrganisation(core.database, orgId, (sql) => findInvited(sql, orgId, tokenHash)))
  if (!orgId || !person) throw new DomainError('SETUP_LINK_NOT_FOUND')
  const { personId, email, hadPassword } = person
  assertGoodPassword(password, { email })
  const passwordHash = await hashPassword(password)
  await inOrganisation(core.database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    if (!(await takeSetupLink(sql, orgId, tokenHash))) throw new DomainError('SETUP_LINK_NOT_FOUND')
    await setPasswordHash(sql, orgId, personId, passwordHash)
    await deleteSessionsOf(sql, orgId, personId)
    await dropInvitations(sql, orgId, personId)
    await recordAdminEvent(sql, { orgId, personId, email, origin }, { action: 'password.set', detail: {} })
    if (hadPassword) await recordPasswordMail(sql, core.keys, orgId, { personId, address: origin.address ?? '' })
  })
  await forgetFailures(core, personId)
  core.log.info({ orgId, personId, address: origin.address }, 'password.set')
}
