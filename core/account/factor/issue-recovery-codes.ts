// Issues the codes that replace a lost authenticator app, each for one use.
import { randomBytes } from 'node:crypto'
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import { lockPerson } from '#core/account/person/store.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import type { OrgId, PersonId } from '#core/ids.ts'
import { RECOVERY_CODES } from '#core/limits.ts'
import { recordFactorMail } from '#core/mail/record-mail.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { inGroups, RECOVERY_CODE_BYTES, toRecoveryCode } from './rules.ts'
import { findFactor, replaceRecoveryCodes } from './store.ts'

/** Ten new codes; only their hashes are stored. Earlier ones stop working. Within the caller's transaction. */
export async function issueRecoveryCodes(sql: Sql, orgId: OrgId, personId: PersonId): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => toRecoveryCode(randomBytes(RECOVERY_CODE_BYTES)))
  await replaceRecoveryCodes(sql, orgId, personId, codes.map(hashToken))
  return codes.map(inGroups)
}

/** Issues new recovery codes at the request of the person. Throws FACTOR_NOT_SET. */
export async function renewRecoveryCodes(
  { database, keys }: Pick<Core, 'database' | 'keys'>,
  caller: PersonCaller,
): Promise<string[]> {
  const { orgId, personId, origin } = caller
  return inOrganisation(database, orgId, async (sql) => {
    await lockPerson(sql, orgId, personId)
    const factor = await findFactor(sql, orgId, personId)
    if (!factor?.isConfirmed) throw new DomainError('FACTOR_NOT_SET')
    await recordAdminEvent(sql, caller, { action: 'factor.recovery-codes-renewed', detail: {} })
    await recordFactorMail(sql, keys, orgId, personId, { change: 'RECOVERY_CODES_RENEWED', address: origin.address ?? '' })
    return issueRecoveryCodes(sql, orgId, personId)
  })
}
