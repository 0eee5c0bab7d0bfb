// The organisation of the check, with an admin and a credential that is revoked afterwards.
import { randomBytes } from 'node:crypto'
import { createCredentialAsOperator } from '#core/account/credential/create-credential.ts'
import { revokeCredentialAsOperator } from '#core/account/credential/revoke-credential.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { listOrganisations } from '#core/account/organisation/list-organisations.ts'
import { setPasswordAsOperator } from '#core/account/password/set-password-as-operator.ts'
import type { Core } from '#core/context.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'

export interface CheckAccess extends AsyncDisposable {
  orgId: OrgId
  credentialId: CredentialId
  clientId: string
  clientSecret: string
  adminEmail: string
  adminPassword: string
}

const ORGANISATION = 'Installation check'
const ADMIN_EMAIL = 'admin@installation-check.invalid'

/** Reuses the organisation of an earlier check, whose admin gets a new password each time. Needs a database of the system role. */
export async function openCheckAccess(core: Pick<Core, 'database'>): Promise<CheckAccess> {
  const adminPassword = randomBytes(32).toString('base64url')
  const earlier = (await listOrganisations(core)).find(({ name }) => name === ORGANISATION)
  const admin = { email: ADMIN_EMAIL, name: ORGANISATION, password: adminPassword }
  const orgId = earlier?.id ?? (await createOrganisation(core, { name: ORGANISATION, admin })).orgId
  if (earlier) await setPasswordAsOperator(core, admin)
  const { id, clientId, clientSecret } = await createCredentialAsOperator(core, orgId, { name: ORGANISATION, grant: {} })
  return {
    orgId,
    credentialId: id,
    clientId,
    clientSecret,
    adminEmail: ADMIN_EMAIL,
    adminPassword,
    async [Symbol.asyncDispose]() {
      await revokeCredentialAsOperator(core, id)
    },
  }
}
