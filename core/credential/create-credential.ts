// A client id and secret with which an organisation's system calls the API. The secret is shown once; the database keeps its hash.
import { randomBytes } from 'node:crypto'
import { CredentialId, hashToken, newId, newToken, type OrgId, type WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { Permission } from '#core/workspace/rules.ts'
import { insertGrant } from '#core/workspace/store.ts'
import { insertCredential, insertSecret } from './store.ts'

// Recognisable in a leaked file, so that secret scanners can find it.
const SECRET_PREFIX = 'swsec_'
const CLIENT_ID_PREFIX = 'swc_'

export interface CredentialInput {
  name: string
  grants: { workspaceId: WorkspaceId; permissions: readonly Permission[] }[]
}

export interface NewCredential {
  clientId: string
  clientSecret: string
}

/** Adds a credential with its first secret and its roles, within the caller's transaction. */
export async function createCredential(sql: Sql, orgId: OrgId, { name, grants }: CredentialInput): Promise<NewCredential> {
  const id = newId(CredentialId)
  const clientId = CLIENT_ID_PREFIX + randomBytes(12).toString('base64url')
  const clientSecret = SECRET_PREFIX + newToken()
  await insertCredential(sql, orgId, { id, clientId, name })
  await insertSecret(sql, orgId, id, { hash: hashToken(clientSecret), lastFour: clientSecret.slice(-4) })
  for (const { workspaceId, permissions } of grants) await insertGrant(sql, orgId, id, workspaceId, permissions)
  return { clientId, clientSecret }
}
