// The process of the API: what it opens, serves and closes.
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLog } from '#core/platform/log.ts'
import { openFileMailbox } from '#core/mail/file-mailbox.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import { openCore } from '#core/installation/open-core.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { refuseArguments, runProcess } from '#core/platform/process/run-process.ts'
import { startStatusServer } from '#core/platform/process/status-server.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { openThreads } from '#core/thread-pools.ts'
import { apiChecks } from './checks.ts'
import { readApiConfig, readEnvironment } from './config.ts'
import { createApp } from './http/app.ts'
import { serve } from './serve.ts'

const PAGES = fileURLToPath(new URL('pages/dist/', import.meta.url))
const GRACE_MS = 10_000

/** Runs until it is asked to stop, or cannot go on; see `runProcess` for the exit codes. */
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
  const { storeOrigin, storeLine, storeFailed, ...parts } = core
  const threads = openThreads()
  stack.defer(() => threads.close())
  const reports = openReportPool()
  stack.defer(() => reports.close())
  const spoolDir = await inDataDir(() => openSpool(settings.dataDir, stack))
  const fileMailbox = settings.smtpUrl
    ? undefined
    : await inDataDir(() => openFileMailbox(path.resolve(settings.dataDir, 'mails')))
  const app = createApp({ ...parts, threads }, { reports, spoolDir, pagesDir: PAGES, storeOrigin, fileMailbox })
  const http = await serve(app, settings.host, settings.port)
  stack.defer(() => http.close(GRACE_MS))
  status.show({ ready: () => apiChecks(parts, spoolDir) })
  log.info({ port: http.port, parts: [storeLine] }, 'api.started')
  await Promise.race([stop.requested, storeFailed])
  status.stopping()
  log.info({}, 'api.stopping')
}

/** A folder of this process alone for uploads while they are received. */
async function openSpool(dataDir: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = path.resolve(dataDir, 'spool')
  await ensureDirectory(folder)
  const own = await mkdtemp(path.join(folder, 'api-'))
  stack.defer(() => rm(own, { recursive: true, force: true }))
  return own
}
