// `npm start`: the three tiers in one process, started with the same functions as their own processes.
import { once } from 'node:events'
import path from 'node:path'
import { startApi } from '../../api/start-api.ts'
import { startController } from '../../controller/start-controller.ts'
import { readRoles } from '../../workers/roles.ts'
import { openRoles, startWorkers } from '../../workers/start-workers.ts'
import { openCore } from '#core/installation/open-core.ts'
import { openNotifier } from '#core/messaging/open-notifier.ts'
import { type FileMailbox, openFileMailbox } from '#core/mail/file-mailbox.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { newConcurrentDisposal } from '#core/platform/process/concurrent-disposal.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import type { DataFolder } from './data-folder.ts'
import { loadOrCreateFirstOrganisation } from './first-organisation.ts'
import { openParts } from './open-parts.ts'
import { loadOrCreateIdentity } from './secrets.ts'
import { openReceiver } from './webhook-receiver/open-receiver.ts'
import { addressesOf, summarise } from './summary.ts'

const ROLES = ['relay', 'mail', 'seal', 'deliver']
/** A person waits for the stop of `npm start`. */
const FINISH_WITHIN_MS = 10_000

export interface Service extends AsyncDisposable {
  devJson: Record<string, string>
  databaseUrl: string
  /** The lines for the terminal. */
  summary: string
  /** Rejects on a fatal error: a wrong store or key, or an embedded Postgres that exited; never resolves. */
  failed: Promise<never>
}

/** Starts everything and accepts requests when it resolves. On an error it stops what it started and throws a one-line message. */
export async function startService(settings: Settings, folder: DataFolder, log: Logger, signal: AbortSignal): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const identity = await loadOrCreateIdentity(folder)
  const parts = await openParts(settings, { folder, identity, log, stack, signal })
  const receiverStop = new AbortController()
  const receiver = await openReceiver(parts.settings, { folder, log, stack, signal: receiverStop.signal })
  const opening = { settings: receiver.settings, log, stack, signal, status: parts.status }
  const core = await openCore({ ...opening, role: 'sealwright_api' })
  const system = await openCore({ ...opening, role: 'sealwright_system' })
  receiver.checkWith(system)
  const first = await loadOrCreateFirstOrganisation(system, folder, identity)
  const notifier = stack.use(await openNotifier(opening.settings, 'sealwright', log))
  const roles = await openRoles(readRoles(ROLES), opening)
  // They stop concurrently, each within its own deadline.
  signal.throwIfAborted()
  const tiers = stack.use(newConcurrentDisposal())
  // After the stop of the deliverer has begun, which records these answers and begins no other delivery.
  tiers.defer(async () => receiverStop.abort())
  const workers = tiers.use(
    startWorkers({ core: system, notifier, settings: opening.settings, roles, finishWithinMs: FINISH_WITHIN_MS }),
  )
  const controller = tiers.use(await startController(system))
  const api = tiers.use(await startApi(core, { fileMailbox: await openMailbox(opening.settings), webhookInbox: receiver.inbox }))
  const failed = Promise.race([core.storeFailed, system.storeFailed, workers.failed, parts.database.ended])
  failed.catch(() => {}) // not awaited while the service stops
  await Promise.race([workers.started, failed, once(signal, 'abort')])
  signal.throwIfAborted()
  parts.status.show({
    ready: () => ({ ...controller.ready(), ...workers.ready(), ...api.ready() }),
    alive: { ...workers.alive, ...controller.alive },
    measure: async () => {
      await Promise.all([workers.measure(), controller.measure?.()])
    },
  })
  const running = stack.move()
  const { adminEmail, adminPassword } = identity
  const addresses = addressesOf(opening.settings)
  const lines = [parts.database.line, notifier.line, core.storeLine, ...workers.lines()]
  return {
    devJson: { ...addresses, ...first, adminEmail, adminPassword },
    databaseUrl: parts.database.url,
    summary: summarise({ ...addresses, adminEmail }, lines, folder),
    failed,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The folder that the mail role writes to; none when emails are sent. */
async function openMailbox({ smtpUrl, dataDir }: Settings): Promise<FileMailbox | undefined> {
  return smtpUrl ? undefined : await inDataDir(() => openFileMailbox(path.resolve(dataDir, 'mails')))
}
