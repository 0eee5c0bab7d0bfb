// Measures when the certificates that seal expire, whenever metrics are read.
import type { Core } from '#core/context.ts'
import { signingCertificateEnd, signingKeyExpiry } from '#core/platform/metrics/metrics.ts'
import { listExpiries } from './version-store.ts'

/** Sets the gauges of the keys that seal; resets them when it throws, since an old value would look current. Needs the system role. */
export async function measureKeys({ database }: Pick<Core, 'database'>): Promise<void> {
  signingKeyExpiry.reset()
  signingCertificateEnd.remove()
  const expiries = await listExpiries(database)
  for (const { key, seconds } of expiries) signingKeyExpiry.set({ key }, seconds)
  if (expiries.length > 0) signingCertificateEnd.set(Math.min(...expiries.map(({ notAfter }) => notAfter.getTime() / 1000)))
}
