// The credential that stands for a client of an external issuer: recorded at its first call without any role, so that an admin can find it in the
// panel and grant workspaces or revoke it. Revocation takes effect at the next request, because we cannot stop the issuer's tokens.
import type { Core } from '#core/context.ts'
import { CredentialId, newId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import {
  countExternalClients,
  findExternalClient,
  insertExternalClient,
  lockExternalClients,
  markUsed,
  type ExternalClient,
} from './external-client-store.ts'

/** Far more than an organisation needs; limits the rows that an issuer with invented client ids can create. */
const MAX_EXTERNAL_CLIENTS = 200

/** The client's credential; undefined when the organisation does not exist, an admin has revoked it, or there are too many. */
export async function resolveExternalClient(
  core: Pick<Core, 'database' | 'log'>,
  client: ExternalClient,
): Promise<CredentialId | undefined> {
  return inOrganisation(core.database, client.orgId, async (sql) => {
    const found = await findExternalClient(sql, client)
    if (found === 'no organisation') return undefined
    if (found === 'new') return recordClient(core, sql, client)
    if (found.isIdle) await markUsed(sql, client.orgId, found.id)
    return found.isRevoked ? undefined : found.id
  })
}

async function recordClient({ log }: Pick<Core, 'log'>, sql: Sql, client: ExternalClient): Promise<CredentialId | undefined> {
  await lockExternalClients(sql, client.orgId)
  // A concurrent first call of the same client may have recorded it.
  const found = await findExternalClient(sql, client)
  if (typeof found === 'object') return found.isRevoked ? undefined : found.id
  if ((await countExternalClients(sql, client.orgId)) >= MAX_EXTERNAL_CLIENTS) {
    log.warn({ orgId: client.orgId, issuer: client.issuer }, 'credential.external_client_limit')
    return undefined
  }
  const id = newId(CredentialId)
  await insertExternalClient(sql, client, id)
  log.info({ orgId: client.orgId, credentialId: id, issuer: client.issuer }, 'credential.external_client_recorded')
  return id
}
