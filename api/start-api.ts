// The API tier, built from dependencies that the caller opened: threads, application, HTTP server.
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import type { OpenedCore } from '#core/installation/open-core.ts'
import type { FileMailbox } from '#core/mail/file-mailbox.ts'
import type { WebhookInbox } from './http/mounts/dev-webhooks/inbox.ts'
import type { Checks } from '#core/platform/process/health-checks.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { openThreads } from '#core/thread-pools.ts'
import { createApp } from './http/app.ts'
import { apiChecks } from './http/mounts/health.ts'
import { serve } from './serve.ts'

const PAGES = fileURLToPath(new URL('pages/dist/', import.meta.url))
const GRACE_MS = 10_000

export interface RunningApi extends AsyncDisposable {
  port: number
  /** The checks of `/readyz`. */
  ready: () => Checks
}

export interface ApiOptions {
  /** The mailbox of the embedded run, shown at `/dev/mails`. */
  fileMailbox?: FileMailbox | undefined
  /** The webhook receiver of the embedded run, shown at `/dev/webhooks`. */
  webhookInbox?: WebhookInbox | undefined
}

/** Accepts requests when it resolves; disposing drains connections and lets running requests finish for ten seconds. `core` needs a database of the role sealwright_api. */
export async function startApi(core: OpenedCore, options: ApiOptions = {}): Promise<RunningApi> {
  const { storeOrigin, storeLine: _line, storeFailed: _failed, ...parts } = core
  const { settings } = core
  await using stack = new AsyncDisposableStack()
  const reports = openReportPool()
  stack.defer(() => reports.close())
  const spoolDir = await inDataDir(() => openSpool(settings.dataDir, stack))
  const threads = openThreads({ folder: spoolDir })
  stack.defer(() => threads.close())
  const app = createApp({ ...parts, threads }, { reports, spoolDir, pagesDir: PAGES, storeOrigin, ...options })
  const http = await serve(app, settings.host, settings.port)
  stack.defer(() => http.close(GRACE_MS, (settings.shutdownDrainSeconds ?? 0) * 1000))
  const running = stack.move()
  return {
    port: http.port,
    ready: () => apiChecks(parts, spoolDir),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** A folder for uploads, private to this process. */
async function openSpool(dataDir: string, stack: AsyncDisposableStack): Promise<string> {
  const folder = path.resolve(dataDir, 'spool')
  await ensureDirectory(folder)
  const own = await mkdtemp(path.join(folder, 'api-'))
  stack.defer(() => rm(own, { recursive: true, force: true }))
  return own
}
