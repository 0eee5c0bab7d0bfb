// A credential as its organisation sees it: everything but the secret.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { CredentialId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { withReading } from '#core/account/workspace/rules.ts'
import { type CredentialRow, selectCredentials } from './store.ts'

export type Credential = CredentialRow

/** Within a transaction. Throws CREDENTIAL_NOT_FOUND. */
export async function readCredential(sql: Sql, orgId: OrgId, id: CredentialId): Promise<Credential> {
  const [row] = await selectCredentials(sql, orgId, id)
  if (!row) throw new DomainError('CREDENTIAL_NOT_FOUND')
  return toCredential(row)
}

/** Adds read to every role, which includes it. */
export function toCredential(row: CredentialRow): Credential {
  const workspaces = row.workspaces.map(({ workspaceId, permissions }) => {
    return { workspaceId, permissions: withReading(permissions) }
  })
  return { ...row, workspaces }
}
