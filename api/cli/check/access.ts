// The organisation of the check, with an admin and a credential that is revoked afterwards.
import { createHmac } from 'node:crypto'
import { createCredentialAsOperator } from '#core/account/credential/create-credential.ts'
import { revokeCredentialAsOperator } from '#core/account/credential/revoke-credential.ts'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { listOrganisations } from '#core/account/organisation/list-organisations.ts'
import type { Core } from '#core/context.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import { readConfig } from '../../config.ts'

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

/** Reuses the organisation of an earlier check. Throws one sentence without an installation key. Needs a database of the system role. */
export async function openCheckAccess(core: Pick<Core, 'database'>): Promise<CheckAccess> {
  const adminPassword = passwordOfAdmin()
  const earlier = (await listOrganisations(core)).find(({ name }) => name === ORGANISATION)
  const admin = { email: ADMIN_EMAIL, name: ORGANISATION, password: adminPassword }
  const orgId = earlier?.id ?? (await createOrganisation(core, { name: ORGANISATION, admin })).orgId
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

/** The same in each check, and known only to who has the installation key. */
function passwordOfAdmin(): string {
  const { installationKey } = readConfig()
  if (!installationKey) throw new Error('SEALWRIGHT_INSTALLATION_KEY is not set; this command requires it.')
  return createHmac('sha256', installationKey.reveal()).update('sealwright check-installation v1').digest('base64url')
}
