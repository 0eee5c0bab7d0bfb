// An operator ends a signing key without Kubernetes.
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { retireWithVersions } from './retire-with-versions.ts'
import { KeyRefusedError } from './key-error.ts'
import { lockOwnKey } from './lock-own-key.ts'

/** Retires an imported key, for ever. Throws KeyRefusedError for the installation's own key and for one that Kubernetes decides about. */
export async function retireKey({ database }: Pick<Core, 'database'>, id: string): Promise<void> {
  await inTransaction(database, async (sql) => {
    const key = await lockOwnKey(sql, { id })
    if (key.providerType === 'INSTALLATION')
      throw new KeyRefusedError(
        'InstallationKey',
        "The installation's own key cannot be retired; replace it with: sealwright key import, or sealwright key rotate",
      )
    await retireWithVersions(sql, id)
  })
}
