// A client id and secret with which an organisation's system calls the API. The secret is shown once; the database stores its hash.
import { randomBytes } from 'node:crypto'
import { CredentialId, newId, type OrgId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { z } from 'zod'
import { type Grant, replaceGrants } from './replace-grants.ts'
import { insertCredential, insertSecret } from './store.ts'

// A recognisable prefix, so that secret scanners find leaked secrets.
const SECRET_PREFIX = 'swsec_'
const CLIENT_ID_PREFIX = 'swc_'

export const ClientId = z
  .string()
  .regex(new RegExp(String.raw`^${CLIENT_ID_PREFIX}[\w-]{16}$`), 'must be a client id')
  .brand('ClientId')
export type ClientId = z.infer<typeof ClientId>

export interface CredentialInput {
  name: string
  workspaces: readonly Grant[]
}

export interface NewCredential {
  id: CredentialId
  clientId: string
  clientSecret: string
}

/** Adds a credential with its first secret and its roles, within the caller's transaction. Throws WORKSPACE_NOT_FOUND by its constraint. */
export async function newCredential(sql: Sql, orgId: OrgId, { name, workspaces }: CredentialInput): Promise<NewCredential> {
  const id = newId(CredentialId)
  const clientId = CLIENT_ID_PREFIX + randomBytes(12).toString('base64url')
  await insertCredential(sql, orgId, { id, clientId, name })
  const clientSecret = await newSecret(sql, orgId, id)
  await replaceGrants(sql, orgId, id, workspaces)
  return { id, clientId, clientSecret }
}

/** Adds a secret that is valid until it is replaced; the text is only in the result. */
export async function newSecret(sql: Sql, orgId: OrgId, id: CredentialId): Promise<string> {
  const clientSecret = SECRET_PREFIX + newToken()
  await insertSecret(sql, orgId, id, { hash: hashToken(clientSecret), lastFour: clientSecret.slice(-4) })
  return clientSecret
}
