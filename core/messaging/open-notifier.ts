// Opens the notifier of the settings: JetStream between processes, or one within this process.
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import type { Notifier } from './notifier.ts'
import { inProcessNotifier } from './in-process-notifier.ts'

export interface OpenedNotifier extends AsyncDisposable {
  notifier: Notifier
  /** Throws one sentence while it is down; workers then poll Postgres. */
  check: () => Promise<void>
  /** One line for the terminal and the log. */
  line: string
}

/** `name`: shown in the server's list of connections. Throws StartupError. */
export async function openNotifier(settings: Settings, name: string, log: Logger): Promise<OpenedNotifier> {
  if (settings.natsUrl === undefined) {
    return {
      notifier: inProcessNotifier(),
      check: async () => {},
      line: 'notifier: in this process',
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const { openJetStreamNotifier } = await import('#core/messaging/jetstream/jetstream-notifier.ts')
  const notifier = await openJetStreamNotifier({
    url: settings.natsUrl,
    credsFile: settings.natsCredsFile,
    name,
    log,
    replicas: settings.natsReplicas,
    duplicateWindowSeconds: settings.natsDuplicateWindowSeconds,
    maxMessages: settings.natsMaxMessages,
  })
  return {
    notifier,
    check: async () => {
      const error = notifier.lastError()
      if (error !== undefined) throw new Error(`${error} Workers poll Postgres in the meantime.`)
    },
    line: 'notifier: NATS as set in SEALWRIGHT_NATS_URL',
    [Symbol.asyncDispose]: () => notifier[Symbol.asyncDispose](),
  }
}
