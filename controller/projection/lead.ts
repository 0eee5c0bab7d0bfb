// The work of the controller that leads: it alone writes objects, and rows after objects.
import { FencedError } from '#core/mirror/fence.ts'
import { outboxAgeSeconds } from '#core/mirror/outbox-age.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { type FailureLog, newFailureLog } from '../runtime/failure-log.ts'
import { wait } from '../runtime/runtime-clock.ts'
import { missingDefinition } from './definitions.ts'
import { type Drain, startDrain } from './drain-outbox.ts'
import type { Leadership, LeadingKind, MirroredKind, OperatorContext, SweepReport, WatchedKind } from './kind.ts'
import { StatusMap } from './status-map.ts'
import { newWriteLimit } from './write-limit.ts'

export interface Watched {
  kind: MirroredKind
  watched: WatchedKind
}

export interface LeaderOptions {
  context: OperatorContext
  kinds: readonly Watched[]
  holder: string
  /** Names each loop that runs with the age of what it does now. */
  loops: Map<string, () => number>
}

const RETRY_MS = 5000
const STATUS_EVERY_MS = 10_000

/** Leads until the signal is aborted. Throws FencedError when another controller leads. */
export async function lead(options: LeaderOptions, lost: AbortSignal, transitions: number): Promise<void> {
  const { context, kinds, holder, loops } = options
  const end = new AbortController()
  const signal = AbortSignal.any([lost, end.signal])
  const failures = newFailureLog(context.log, 'mirror.failed')
  const { core } = context
  await untilDone(context, failures, signal, () => takeLeadership(core, { transitions, holder }))
  const map = new StatusMap(context.kube, context.namespace)
  await untilDefined(context, kinds, map, holder, signal)
  await untilAborted(signal, Promise.all(kinds.map(({ watched }) => watched.synced)))
  if (signal.aborted) return

  const fenced = Promise.withResolvers<never>()
  fenced.promise.catch((error: unknown) => end.abort(error))
  const takeWrite = newWriteLimit(core.settings.mirrorWritesPerSecond, context.clock, signal)
  let drain: Drain | undefined
  const leadership: Leadership = {
    fence: { transitions },
    signal,
    takeWrite,
    acknowledge: (changes) => drain?.acknowledge(changes),
    acceptedLoss: () => map.accepted(signal),
    fenced: fenced.reject,
  }
  await using stack = new AsyncDisposableStack()
  const leading = kinds.map(({ kind, watched }) => {
    const led = stack.use(watched.lead(leadership))
    loops.set(kind.definition.resource.plural, () => led.oldestMs())
    return { kind, led }
  })
  stack.defer(() => loops.clear())
  drain = startDrain({
    core,
    fence: leadership.fence,
    clock: context.clock,
    failures: newFailureLog(context.log, 'mirror.failed'),
    signal,
    changed: (change) => leading.find(({ kind }) => kind.change === change.kind)?.led.changed(change),
    fenced: fenced.reject,
  })
  loops.set('outbox', drain.busyMs)
  const reports = new Map<LeadingKind, SweepReport>()
  const sweeping = leading.map(({ led }) => sweepRegularly(context, led, signal, (report) => reports.set(led, report)))
  const showing = showRegularly(context, map, holder, signal, () => [...reports.values()])
  await Promise.all([drain.ended, ...sweeping, showing])
  end.signal.throwIfAborted()
}

async function sweepRegularly(
  { core, clock, log }: OperatorContext,
  led: LeadingKind,
  signal: AbortSignal,
  report: (report: SweepReport) => void,
): Promise<void> {
  const failures = newFailureLog(log, 'mirror.failed')
  while (!signal.aborted) {
    const hasSwept = await attempt(failures, signal, async () => report(await led.sweep()))
    await wait(clock, hasSwept ? core.settings.mirrorSweepIntervalSeconds * 1000 : RETRY_MS, signal)
  }
}

async function showRegularly(
  { core, clock, log }: OperatorContext,
  map: StatusMap,
  leader: string,
  signal: AbortSignal,
  reports: () => readonly SweepReport[],
): Promise<void> {
  const failures = newFailureLog(log, 'mirror.failed')
  while (!signal.aborted) {
    await attempt(failures, signal, async () => {
      const all = reports()
      const orphans = all.flatMap((report) => report.orphans)
      const problems = all.flatMap((report) => report.problems)
      await map.write({ leader, outboxAgeSeconds: await outboxAgeSeconds(core), orphans, problems }, signal)
    })
    await wait(clock, STATUS_EVERY_MS, signal)
  }
}

/** Runs against definitions of this version only: an older one drops fields without an error. */
async function untilDefined(
  { kube, clock, log }: OperatorContext,
  kinds: readonly Watched[],
  map: StatusMap,
  leader: string,
  signal: AbortSignal,
): Promise<void> {
  const failures = newFailureLog(log, 'mirror.failed')
  let reported: string | undefined
  while (!signal.aborted) {
    let missing: string | undefined = 'The API server has not answered yet.'
    await attempt(failures, signal, async () => {
      missing = await missingDefinition(
        kube,
        kinds.map(({ kind }) => kind.definition),
        signal,
      )
      if (missing && missing !== reported) log.error({ reason: missing }, 'mirror.definitions_missing')
      if (missing) await map.write({ leader, outboxAgeSeconds: 0, orphans: [], problems: [missing] }, signal)
      reported = missing
    })
    if (missing === undefined) return
    await wait(clock, RETRY_MS, signal)
  }
}

/** Repeats it until it succeeds. Throws FencedError. */
async function untilDone(
  { clock }: OperatorContext,
  failures: FailureLog,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    if (await attempt(failures, signal, run)) return
    await wait(clock, RETRY_MS, signal)
  }
}

/** Whether it succeeded. Throws FencedError. */
async function attempt(failures: FailureLog, signal: AbortSignal, run: () => Promise<void>): Promise<boolean> {
  try {
    await run()
    failures.worked()
    return true
  } catch (error) {
    if (error instanceof FencedError) throw error
    if (!signal.aborted) failures.failed(error, {})
    return false
  }
}

async function untilAborted(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([aborted, work])
}
