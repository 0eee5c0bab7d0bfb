// The second phase of a rotation: the next version seals from now on.
import type { Sql } from '#core/platform/postgres/client.ts'
import { pinActiveCertificate } from './certificate-store.ts'
import { findKey, setCompromised, setHandledRequest } from './key-store.ts'
import { activateVersion, retireActiveVersion } from './version-store.ts'

/** Replaces the active version of a locked key by an announced one that was opened. A key that was marked as compromised without Kubernetes is not any more:
 *  the certificates of its earlier versions stay marked. */
export async function replaceActiveVersion(
  sql: Sql,
  { keyId, version, request }: { keyId: string; version: number; request: string | null },
): Promise<void> {
  await retireActiveVersion(sql, keyId)
  if (!(await activateVersion(sql, keyId, version)))
    throw new Error(`Version ${version} of the signing key ${keyId} cannot be activated.`)
  const key = await findKey(sql, { id: keyId })
  if (key?.origin === 'API') await setCompromised(sql, keyId, null)
  if (request !== null) await setHandledRequest(sql, keyId, request)
  await pinActiveCertificate(sql, keyId)
}
