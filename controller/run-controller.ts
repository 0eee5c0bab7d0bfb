// The controller's process: opens the dependencies and starts the tier.
import { openLog } from '#core/platform/log.ts'
import { openCore } from '#core/installation/open-core.ts'
import { warnOfOwner } from '#core/installation/warn-of-owner.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { refuseArguments, runProcess } from '#core/platform/process/run-process.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { readConfig, readEnvironment } from './config.ts'
import { startController } from './start-controller.ts'

/** Runs until a stop signal or a fatal error; see `runProcess` for the exit codes. */
export async function runController(stop: Stop): Promise<void> {
  await runProcess(stop, main)
}

async function main(stop: Stop): Promise<void> {
  refuseArguments('node controller/main.ts', process.argv.slice(2))
  const settings = readConfig()
  const log = openLog(settings.logLevel)
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing(readEnvironment(), 'sealwright-controller', log))
  const status = stack.use(await startStatusServer(settings, log))
  const core = await openCore({ settings, role: 'sealwright_system', log, stack, signal: stop.signal, status })
  warnOfOwner(core)
  status.show(stack.use(await startController(core)))
  log.info({ parts: [core.storeLine] }, 'controller.started')
  await Promise.race([stop.requested, core.storeFailed])
  status.stopping()
  log.info({}, 'controller.stopping')
}
