// A worker process: opens the dependencies and starts the tier.
import { openStorelessCore } from '#core/installation/open-core.ts'
import { warnOfOwner } from '#core/installation/warn-of-owner.ts'
import { openNotifier } from '#core/messaging/open-notifier.ts'
import { openLog } from '#core/platform/log.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { readConfig, readEnvironment } from './config.ts'
import { readRoles } from './roles.ts'
import { openRoles, startWorkers } from './start-workers.ts'

/** Runs until a stop signal or a fatal error; see `runProcess` for the exit codes. */
export async function runWorkers(stop: Stop): Promise<void> {
  await runProcess(stop, main)
}

async function main(stop: Stop): Promise<void> {
  const named = readRoles(process.argv.slice(2))
  const names = named.map(({ name }) => name)
  const settings = readConfig()
  const log = openLog(settings.logLevel)
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing(readEnvironment(), 'sealwright-workers', log))
  const status = stack.use(await startStatusServer(settings, log))
  // In parallel, because each mostly waits for a server.
  const [roles, core, notifier] = await Promise.all([
    openRoles(named, { settings, log, stack }),
    openStorelessCore({ settings, role: 'sealwright_system', log, stack, signal: stop.signal, status }),
    openNotifier(settings, `sealwright ${names.join(' ')}`, log).then((opened) => stack.use(opened)),
  ])
  stop.signal.throwIfAborted()
  warnOfOwner(core)
  const workers = stack.use(startWorkers({ core, notifier, settings, roles }))
  status.show(workers)
  log.info({ roles: names, parts: [notifier.line] }, 'workers.started')
  await Promise.race([stop.requested, workers.failed])
  status.stopping()
  log.info({}, 'workers.stopping')
}
