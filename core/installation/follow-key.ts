// While a process runs, the installation key may be replaced. It follows within seconds, so that the old key writes nothing after that.
import type { StorelessCore } from '#core/context.ts'
import { KEY_FOLLOW_SECONDS } from '#core/limits.ts'
import { probeOf } from '#core/platform/postgres/client.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { useKey } from './check-key.ts'

const OTHER_KEY =
  'The installation key was replaced by one that this process does not have. Restart it with the new key in SEALWRIGHT_INSTALLATION_KEY.'

/** Reads which key writes, every few seconds until disposed. */
export function followKey({ database, keys, log }: Pick<StorelessCore, 'database' | 'keys' | 'log'>): Disposable {
  const replaced = newThrottledLog(log, 'installation_key.replaced')
  const probe = probeOf(database)
  let isBusy = false
  const follow = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      if ((await useKey({ database: probe, keys })) === 'other') replaced.report(OTHER_KEY)
      else replaced.recovered()
    } catch (err) {
      // The next time will do: what needs the database reports that it is away.
      log.debug({ err }, 'installation_key.not_read')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void follow(), KEY_FOLLOW_SECONDS * 1_000)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
