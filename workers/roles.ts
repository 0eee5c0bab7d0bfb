// The roles that a worker process can have, and how each is started.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { StorelessCore } from '#core/context.ts'
import { openReportPool, type ReportPool } from '#core/audit-report/report-pool.ts'
import { openTransport } from '#core/mail/open-transport.ts'
import type { Logger } from '#core/platform/log.ts'
import { openCoreStore, type ProcessSettings } from '#core/installation/open-core.ts'
import { optional } from '#core/platform/process/health-checks.ts'
import { storageChecks } from '#core/installation/health-checks.ts'
import { UsageError } from '#core/platform/process/run-process.ts'
import { openSealingThreads, type SealingThreads } from '#core/seal/sealing-pool.ts'
import { type KeyOpener, openKeyOpener } from '#core/signing-key/loading/key-opener.ts'
import { openSecretReader } from '#core/platform/kubernetes/open-secret-reader.ts'
import type { SecretReader } from '#core/platform/kubernetes/secret-reader.ts'
import type { OpenedStore } from '#core/installation/open-store.ts'
import { cpuLimit } from '#core/platform/threads/cpu-limit.ts'
import { startDeliver } from './deliver/start-deliver.ts'
import { startMail } from './mail/start-mail.ts'
import type { Loop } from './runtime/loop.ts'
import { startRelay } from './relay/start-relay.ts'
import { joinLoops } from './runtime/join-loops.ts'
import { provideOwnKey } from './seal/provide-own-key.ts'
import { startKeys } from './seal/start-keys.ts'
import { startReports } from './seal/start-reports.ts'
import { startSeal } from './seal/start-seal.ts'
import { startWebhookSecrets } from './seal/start-webhook-secrets.ts'

/** A seal spends most of its time on object store requests. */
const SEALS_PER_THREAD = 4
/** Measured: with three on one thread, a busy process sealed fewer envelopes than were signed. */
const FEWEST_SEALS = 8

export interface RoleInput {
  core: StorelessCore
  notifier: Notifier
  settings: ProcessSettings
  /** Aborted by a stop: then no role starts a job. */
  signal: AbortSignal
}

export type StartRole = (input: RoleInput) => Promise<Loop>

export interface Opening {
  settings: ProcessSettings
  log: Logger
  stack: AsyncDisposableStack
}

export interface NamedRole {
  name: string
  /** Opens what needs neither database nor notifier, in parallel with them; closed with the stack. Returns the role's start function. */
  open: (opening: Opening) => Promise<StartRole>
}

const ROLES: readonly NamedRole[] = [
  {
    name: 'relay',
    open:
      async () =>
      ({ core, notifier }) =>
        startRelay(core, notifier),
  },
  { name: 'mail', open: async () => startMailRole },
  { name: 'seal', open: openSealRole },
  { name: 'deliver', open: async () => startDeliverRole },
]

/** The roles of these names, in starting order. Throws UsageError. */
export function readRoles(names: readonly string[]): NamedRole[] {
  const known = ROLES.map(({ name }) => name).join(', ')
  const unknown = names.filter((name) => ROLES.every((role) => role.name !== name))
  if (unknown.length > 0) throw new UsageError(`Unknown role ${unknown.join(', ')}. The roles are ${known}.`)
  if (names.length === 0) throw new UsageError(`Usage: node workers/main.ts ROLE...   The roles are ${known}.`)
  return ROLES.filter(({ name }) => names.includes(name))
}

async function startMailRole({ core, notifier, settings, signal }: RoleInput): Promise<Loop> {
  await using stack = new AsyncDisposableStack()
  const mail = stack.use(await openTransport(settings, core.log))
  // A warning, because a forgotten setting has the same effect.
  core.log[mail.mailbox ? 'warn' : 'info']({ part: mail.line }, 'mail.opened')
  signal.throwIfAborted()
  return {
    ...withStack(stack, startMail(core, notifier, mail.transport)),
    checks: { smtp: optional(mail.check) },
    lines: [mail.line],
  }
}

/** The HTTP client is loaded by this role only: it takes a fifth of a worker's start. */
async function startDeliverRole({ core, notifier, settings }: RoleInput): Promise<Loop> {
  const { openWebhookClient } = await import('#core/webhook/open-webhook-client.ts')
  return startDeliver(core, notifier, openWebhookClient(settings))
}

interface SealParts {
  opener: KeyOpener
  /** Absent without Kubernetes. */
  secrets: SecretReader | undefined
  sealing: SealingThreads
  reports: ReportPool
  store: OpenedStore
  concurrency: number
}

/** The threads load their code while the process connects to its servers. Only this role uses the store. */
async function openSealRole({ settings, log, stack }: Opening): Promise<StartRole> {
  const threads = settings.sealThreads ?? (await cpuLimit())
  const sealing = openSealingThreads({ threads, limitSeconds: settings.sealTimeoutSeconds })
  stack.defer(() => sealing.close())
  const opener = openKeyOpener()
  stack.defer(() => opener.close())
  const reports = openReportPool()
  stack.defer(() => reports.close())
  const secrets = await openSecretReader(settings, stack)
  const store = await openCoreStore({ settings, log, stack })
  log.info({ part: store.line }, 'storage.opened')
  return (input) =>
    startSealRole(input, {
      opener,
      secrets,
      sealing,
      reports,
      store,
      concurrency: Math.max(threads * SEALS_PER_THREAD, FEWEST_SEALS),
    })
}

async function startSealRole(
  { core, notifier, signal }: RoleInput,
  { opener, secrets, sealing: threads, reports, store, concurrency }: SealParts,
): Promise<Loop> {
  await store.claimFor(core)
  const storage = store.store
  const file = await provideOwnKey(core, opener, signal)
  signal.throwIfAborted()
  const keys = await startKeys(core, { opener, file, secrets })
  const sealing = { ...threads, keys: keys.ring }
  const loop = joinLoops(
    keys.loop,
    startSeal({ ...core, storage }, notifier, sealing, concurrency),
    startReports({ ...core, storage }, notifier, { reports, sealing }),
    ...(secrets ? [startWebhookSecrets(core, secrets)] : []),
  )
  return { ...loop, checks: storageChecks({ storage }), failed: store.failed, lines: [keys.line] }
}

/** The loop; disposing it also closes the stack. */
function withStack(stack: AsyncDisposableStack, loop: Loop): Loop {
  stack.use(loop)
  const running = stack.move()
  return { ...loop, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
