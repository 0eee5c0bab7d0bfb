// A signing key that operators decide about on the command line.
import type { Sql } from '#core/platform/postgres/client.ts'
import { KeyRefusedError } from './key-error.ts'
import { type KeyRef, type KeyRow, lockKey } from './key-store.ts'

/** Locks the key. Throws KeyRefusedError when there is none, or a Kubernetes object decides about it that has not disappeared. */
export async function lockOwnKey(sql: Sql, ref: KeyRef): Promise<KeyRow> {
  const key = await lockKey(sql, ref)
  if (!key)
    throw new KeyRefusedError(
      'NotFound',
      ref === 'installation'
        ? 'The installation has no signing key yet: start a worker with the role seal first.'
        : `There is no such signing key; list them with: sealwright key list`,
    )
  if (key.origin === 'KUBERNETES' && key.objectName !== null && key.orphanedAt === null)
    throw new KeyRefusedError(
      'ManagedByKubernetes',
      `The SigningKey ${key.objectNamespace}/${key.objectName} decides about this key; change it with kubectl.`,
    )
  return key
}
