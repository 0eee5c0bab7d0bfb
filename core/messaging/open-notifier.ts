// The bell that the settings name: JetStream for several processes, or one within this process.
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import type { Bell } from './notifier.ts'
import { inProcessBell } from './in-process-notifier.ts'

export interface OpenedBell extends AsyncDisposable {
  bell: Bell
  /** Throws one sentence while it is out of order; work goes on by looking into Postgres. */
  check: () => Promise<void>
  /** What a person is told of it. */
  line: string
}

/** `name`: shown in the server's list of connections. Throws StartFault. */
export async function openBell(settings: Settings, name: string, log: Logger): Promise<OpenedBell> {
  if (settings.natsUrl === undefined) {
    return { bell: inProcessBell(), check: async () => {}, line: 'bell: in this process', [Symbol.asyncDispose]: async () => {} }
  }
  const { openNatsBell } = await import('#core/messaging/jetstream/jetstream-notifier.ts')
  const bell = await openNatsBell({
    url: settings.natsUrl,
    credsFile: settings.natsCredsFile,
    name,
    log,
    replicas: settings.natsReplicas,
    duplicateWindowSeconds: settings.natsDuplicateWindowSeconds,
    maxMessages: settings.natsMaxMessages,
  })
  return {
    bell,
    check: async () => {
      const fault = bell.fault()
      if (fault !== undefined) throw new Error(`${fault} Work is found by looking into Postgres.`)
    },
    line: 'bell: NATS as set in SEALWRIGHT_NATS_URL',
    [Symbol.asyncDispose]: () => bell[Symbol.asyncDispose](),
  }
}
