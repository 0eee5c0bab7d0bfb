// Measures when the certificates that seal expire, whenever metrics are read.
import type { Core } from '#core/context.ts'
import { signingKeyExpiry } from '#core/platform/metrics/metrics.ts'
import { listExpiries } from './version-store.ts'

/** Sets the gauge of every key that seals; resets it when it throws, since an old value would look current. Needs the system role. */
export async function measureKeys({ database }: Pick<Core, 'database'>): Promise<void> {
  signingKeyExpiry.reset()
  for (const { keyId, seconds } of await listExpiries(database)) signingKeyExpiry.set({ key: keyId }, seconds)
}
