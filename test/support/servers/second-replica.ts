// One more API replica on the same database, like a second pod.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AppOptions, createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/serve.ts'
import type { Core } from '#core/context.ts'
import { freePort } from '../../../hack/servers/free-port.ts'
import { sharedThreads } from './shared-threads.ts'

/** Serves `core` on another port. It accepts the first one's tokens, so it has the same public URL. */
export async function secondReplica(
  core: Core,
  options: Pick<AppOptions, 'fileMailbox' | 'webhookInbox'> = {},
): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort()
  const pagesDir = path.resolve('api/pages/dist')
  const app = createApp(core, { reports: sharedThreads().reports, spoolDir: tmpdir(), pagesDir, ...options })
  const http = await serve(app, '127.0.0.1', port)
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => http.close(1_000) }
}
