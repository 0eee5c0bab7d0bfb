// The API's process: opens the dependencies and starts the tier.
import { openCore } from '#core/installation/open-core.ts'
import { warnOfOwner } from '#core/installation/warn-of-owner.ts'
import { openLog } from '#core/platform/log.ts'
import { refuseArguments, runProcess } from '#core/platform/process/run-process.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { readApiConfig, readEnvironment } from './config.ts'
import { startApi } from './start-api.ts'

/** Runs until a stop signal or a fatal error; see `runProcess` for the exit codes. */
export async function runApi(stop: Stop): Promise<void> {
  await runProcess(stop, main)
}

async function main(stop: Stop): Promise<void> {
  refuseArguments('node api/main.ts', process.argv.slice(2))
  const settings = readApiConfig()
  const log = openLog(settings.logLevel)
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing(readEnvironment(), 'sealwright-api', log))
  const status = stack.use(await startStatusServer(settings, log))
  const core = await openCore({ settings, role: 'sealwright_api', log, stack, signal: stop.signal, status })
  warnOfOwner(core)
  const api = stack.use(await startApi(core))
  status.show({ ready: api.ready })
  log.info({ port: api.port, parts: [core.storeLine] }, 'api.started')
  await Promise.race([stop.requested, core.storeFailed])
  status.stopping()
  log.info({}, 'api.stopping')
}
