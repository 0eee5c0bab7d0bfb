// Counts disabled webhooks, whenever metrics are read.
import type { Core } from '#core/context.ts'
import { webhooksDisabled } from '#core/platform/metrics/metrics.ts'
import { withTimeout } from '#core/platform/process/with-timeout.ts'
import { DISABLED_REASONS } from './rules.ts'
import { countDisabled } from './store.ts'

/** Well below the 10 s after which metrics scrapers time out. */
const MEASURE_WITHIN_MS = 2_000

/** Sets the gauge; resets it when it throws, since an old value would look current. Needs the system role. */
export async function measureWebhooks({ database }: Pick<Core, 'database'>): Promise<void> {
  try {
    const counted = await withTimeout(countDisabled(database), MEASURE_WITHIN_MS)
    for (const reason of DISABLED_REASONS)
      webhooksDisabled.set({ reason }, counted.find((each) => each.reason === reason)?.webhooks ?? 0)
  } catch (error) {
    webhooksDisabled.reset()
    throw error
  }
}
