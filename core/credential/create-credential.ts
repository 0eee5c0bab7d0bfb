// Issues a credential to an organisation: self-service for its admins in the panel, or by the operator's hand.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { type Credential, readCredential } from './get-credential.ts'
import { type CredentialInput, newCredential } from './new-credential.ts'

/** The record with its secret, this once. Throws WORKSPACE_NOT_FOUND; then nothing has been created. */
export async function createCredential(
  core: Pick<Core, 'database'>,
  { orgId }: { orgId: OrgId },
  input: CredentialInput,
): Promise<Credential & { clientSecret: string }> {
  return inOrganisation(core.database, orgId, async (sql) => {
    const { id, clientSecret } = await newCredential(sql, orgId, input)
    return { ...(await readCredential(sql, orgId, id)), clientSecret }
  })
}
