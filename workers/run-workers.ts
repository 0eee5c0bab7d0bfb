// A process of workers: what its roles share, and how they are begun and ended.
import { openNotifier } from '#core/messaging/open-notifier.ts'
import { openLog } from '#core/platform/log.ts'
import { WORK_KINDS } from '#core/work-kinds.ts'
import { measureQueues } from '#core/work/measure-queues.ts'
import { openStorelessCore } from '#core/installation/open-core.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { optional, required } from '#core/platform/process/health-checks.ts'
import { databaseChecks } from '#core/installation/health-checks.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { readConfig, readEnvironment } from './config.ts'
import { readRoles } from './roles.ts'
import { superviseRoles } from './runtime/supervisor.ts'

/** Runs until it is asked to stop, or cannot go on; see `runProcess` for the exit codes. */
export async function runWorkers(stop: Stop): Promise<void> {
  await runProcess(stop, main)
}

async function main(stop: Stop): Promise<void> {
  const names = readRoles(process.argv.slice(2))
  const settings = readConfig()
  const log = openLog(settings.logLevel)
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing(readEnvironment(), 'sealwright-workers', log))
  const status = stack.use(await startStatusServer(settings, log))
  // Side by side, because each of them mostly waits for somebody else.
  const [begun, core, opened] = await Promise.all([
    Promise.all(names.map(async ({ name, open }) => ({ name, start: await open({ settings, log, stack }) }))),
    openStorelessCore({ settings, role: 'sealwright_system', log, stack, signal: stop.signal, status }),
    openNotifier(settings, `sealwright ${names.map(({ name }) => name).join(' ')}`, log).then((notifier) => stack.use(notifier)),
  ])
  stop.signal.throwIfAborted()
  const input = { core, notifier: opened.notifier, settings }
  const roles = begun.map(({ name, start }) => ({ name, start: (signal: AbortSignal) => start({ ...input, signal }) }))
  const supervisor = stack.use(superviseRoles(roles, log))
  status.show({
    ready: () => ({ ...databaseChecks(core, { changes: required }), nats: optional(opened.check), ...supervisor.ready() }),
    alive: supervisor.alive,
    measure: () => measureQueues(core, WORK_KINDS),
  })
  log.info({ roles: names.map(({ name }) => name), parts: [opened.line] }, 'workers.started')
  await Promise.race([stop.requested, supervisor.failed])
  status.stopping()
  log.info({}, 'workers.stopping')
}
