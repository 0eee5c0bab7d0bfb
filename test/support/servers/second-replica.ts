// One more replica of the API on the same database, as a second pod would be.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/serve.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import type { Core } from '#core/context.ts'
import { freePort } from '../../../hack/servers/free-port.ts'

/** Serves `core` on a port of its own. Its tokens are the first one's, so it goes by the same public URL. */
export async function secondReplica(core: Core): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort()
  const app = createApp(core, { reports: openReportPool(), spoolDir: tmpdir(), pagesDir: path.resolve('api/pages/dist') })
  const http = await serve(app, '127.0.0.1', port)
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => http.close(1_000) }
}
