// Uses up a code of a person's second factor, within the transaction of what it permits.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { recordFactorMail } from '#core/mail/record-mail.ts'
import { lockPerson } from '#core/account/person/store.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { factorContext } from './factor-context.ts'
import { readCode } from './rules.ts'
import { findFactor, setLastStep, takeRecoveryCode } from './store.ts'
import { matchingStep } from './totp.ts'

export type FactorOwner = Pick<PersonCaller, 'orgId' | 'personId' | 'email' | 'origin'>

/** False for a code that is wrong, out of date or was used before, also at the same time by another process, and for a person without a factor. */
export async function useCode(sql: Sql, keys: Core['keys'], owner: FactorOwner, entered: string): Promise<boolean> {
  const code = readCode(entered)
  if (!code) return false
  await lockPerson(sql, owner.orgId, owner.personId)
  const factor = await findFactor(sql, owner.orgId, owner.personId)
  if (!factor?.isConfirmed) return false
  if (code.kind === 'recovery') return useRecoveryCode(sql, keys, owner, code.code)
  const secret = keys.open(factor.secretBox, factorContext(owner.personId))
  const step = matchingStep(secret, code.digits, factor.nowSeconds)
  if (step === undefined || step <= factor.lastStep) return false
  await setLastStep(sql, owner.orgId, owner.personId, step)
  return true
}

async function useRecoveryCode(sql: Sql, keys: Core['keys'], owner: FactorOwner, code: string): Promise<boolean> {
  const { orgId, personId, origin } = owner
  if (!(await takeRecoveryCode(sql, orgId, personId, hashToken(code)))) return false
  await recordAdminEvent(sql, owner, { action: 'factor.recovery-code-used', detail: {} })
  await recordFactorMail(sql, keys, orgId, personId, { change: 'RECOVERY_CODE_USED', address: origin.address ?? '' })
  return true
}
