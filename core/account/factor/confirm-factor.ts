// A first code confirms the second factor. The other sessions of the person end: they were started without it.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import { lockPerson } from '#core/account/person/store.ts'
import { deleteOtherSessions, markFactorProved } from '#core/account/session/store.ts'
import type { PersonCaller } from '#core/context.ts'
import { recordFactorMail } from '#core/mail/record-mail.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { factorContext } from './factor-context.ts'
import { issueRecoveryCodes } from './issue-recovery-codes.ts'
import { readCode } from './rules.ts'
import { confirmFactorRow, findFactor } from './store.ts'
import { matchingStep } from './totp.ts'
import { type CodeCore, tryCode } from './try-code.ts'

export interface CodeInput {
  code: string
  /** Token of the caller's session. */
  sessionToken: string
  /** The device cookie of an earlier sign-in. */
  device: string | undefined
}

/** Returns the recovery codes, which are shown this once. Throws FACTOR_NOT_BEGUN, FACTOR_ALREADY_SET, and as `tryCode`. */
export async function confirmFactor(
  core: CodeCore,
  caller: PersonCaller,
  { code, sessionToken, device }: CodeInput,
): Promise<string[]> {
  const { orgId, personId, origin } = caller
  const recoveryCodes = await tryCode(core, caller, device, async (sql) => {
    const step = await stepOfFirstCode(sql, core, caller, code)
    if (step === undefined) return undefined
    await confirmFactorRow(sql, orgId, personId, step)
    const tokenHash = hashToken(sessionToken)
    await markFactorProved(sql, orgId, tokenHash)
    await deleteOtherSessions(sql, orgId, personId, tokenHash)
    await recordAdminEvent(sql, caller, { action: 'factor.set-up', detail: {} })
    await recordFactorMail(sql, core.keys, orgId, personId, { change: 'SET_UP', address: origin.address ?? '' })
    return issueRecoveryCodes(sql, orgId, personId)
  })
  core.log.info({ orgId, personId, address: origin.address }, 'factor.set-up')
  return recoveryCodes
}

async function stepOfFirstCode(
  sql: Sql,
  { keys }: Pick<CodeCore, 'keys'>,
  { orgId, personId }: PersonCaller,
  entered: string,
): Promise<number | undefined> {
  await lockPerson(sql, orgId, personId)
  const factor = await findFactor(sql, orgId, personId)
  if (!factor) throw new DomainError('FACTOR_NOT_BEGUN')
  if (factor.isConfirmed) throw new DomainError('FACTOR_ALREADY_SET')
  const code = readCode(entered)
  if (code?.kind !== 'app') return undefined
  return matchingStep(keys.open(factor.secretBox, factorContext(personId)), code.digits, factor.nowSeconds)
}
