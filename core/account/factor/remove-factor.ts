// A person removes the own second factor with a code of it. The other sessions of the person end.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import { lockPerson } from '#core/account/person/store.ts'
import { deleteOtherSessions } from '#core/account/session/store.ts'
import type { PersonCaller } from '#core/context.ts'
import { recordFactorMail } from '#core/mail/record-mail.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import type { CodeInput } from './confirm-factor.ts'
import { deleteFactor, findFactor } from './store.ts'
import { type CodeCore, tryCode } from './try-code.ts'
import { useCode } from './use-code.ts'

/** Throws FACTOR_NOT_SET, and as `tryCode`. */
export async function removeFactor(
  core: CodeCore,
  caller: PersonCaller,
  { code, sessionToken, device }: CodeInput,
): Promise<void> {
  const { orgId, personId, origin } = caller
  await tryCode(core, caller, device, async (sql) => {
    await lockPerson(sql, orgId, personId)
    const factor = await findFactor(sql, orgId, personId)
    if (!factor?.isConfirmed) throw new DomainError('FACTOR_NOT_SET')
    if (!(await useCode(sql, core.keys, caller, code))) return undefined
    await deleteFactor(sql, orgId, personId)
    await deleteOtherSessions(sql, orgId, personId, hashToken(sessionToken))
    await recordAdminEvent(sql, caller, { action: 'factor.removed', detail: {} })
    await recordFactorMail(sql, core.keys, orgId, personId, { change: 'REMOVED', address: origin.address ?? '' })
    return true
  })
  core.log.info({ orgId, personId, address: origin.address }, 'factor.removed')
}
