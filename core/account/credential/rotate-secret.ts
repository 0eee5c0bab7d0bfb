// Adds a second secret, so that systems can change over one by one. At most two are valid: another rotation has to wait for the end of the grace
// period.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { CredentialId } from '#core/ids.ts'
import { CREDENTIAL_SECRET_GRACE_SECONDS } from '#core/limits.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { type Credential, readCredential } from './get-credential.ts'
import { lockForChange } from './lock-for-change.ts'
import { newSecret } from './new-credential.ts'
import { deletePreviousSecrets, endCurrentSecret, findPreviousSecretEnd } from './store.ts'

/** The record with the new secret, which is shown only here. Throws CREDENTIAL_NOT_FOUND, CREDENTIAL_REVOKED, CREDENTIAL_WITHOUT_SECRET,
 *  SECRET_ROTATION_IN_PROGRESS. */
export async function rotateSecret(
  core: Pick<Core, 'database'>,
  caller: PersonCaller,
  id: CredentialId,
): Promise<Credential & { clientSecret: string }> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    await lockForChange(sql, orgId, id)
    const { issuer } = await readCredential(sql, orgId, id)
    if (issuer !== null) throw new DomainError('CREDENTIAL_WITHOUT_SECRET')
    const previousEndsAt = await findPreviousSecretEnd(sql, orgId, id)
    if (previousEndsAt) throw inProgress(previousEndsAt)
    await deletePreviousSecrets(sql, orgId, id)
    await endCurrentSecret(sql, orgId, id, CREDENTIAL_SECRET_GRACE_SECONDS)
    const clientSecret = await newSecret(sql, orgId, id)
    await recordAdminEvent(sql, caller, { action: 'credential.secret-rotated', detail: { credentialId: id } })
    return { ...(await readCredential(sql, orgId, id)), clientSecret }
  })
}

function inProgress(endsAt: Date): DomainError {
  const message = `The previous secret is valid until ${endsAt.toISOString()}. Revoke it first, or wait until then.`
  return new DomainError('SECRET_ROTATION_IN_PROGRESS', { message })
}
