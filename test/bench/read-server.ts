// A process that serves reads: the application, or the baseline of Express and the driver with the same statements. A benchmark starts it,
// configures it, and queries its CPU time.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readSettings } from '#core/platform/config/read-settings.ts'
import type { CredentialCaller } from '#core/context.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { countMatching, searchEnvelopes } from '#core/envelope/search.ts'
import { selectEnvelopeView } from '#core/envelope/envelope-view-store.ts'
import { type CredentialId, EnvelopeId, type OrgId } from '#core/ids.ts'
import { openLog } from '#core/platform/log.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import { openThreads } from '#core/thread-pools.ts'
import express, { type Express } from 'express'
import { createApp } from '../../api/http/app.ts'
import { serve } from '../../api/serve.ts'
import { freePort } from '../../hack/servers/free-port.ts'

export interface ServerOptions {
  kind: 'application' | 'baseline'
  databaseUrl: string
  orgId: OrgId
  credentialId: CredentialId
  filter: EnvelopeFilter
}

const POOL = 10

process.once('message', (options: ServerOptions) => void start(options))

async function start(options: ServerOptions): Promise<void> {
  const port = await freePort()
  const app = options.kind === 'application' ? await application(options, port) : baseline(options)
  const server = await serve(app, '127.0.0.1', port)
  process.on('message', (asked) => {
    if (asked === 'usage') process.send?.(process.cpuUsage())
    else void server.close(0).then(() => process.exit(0))
  })
  process.send?.({ url: `http://127.0.0.1:${port}` })
}

/** As in production: every rate counted, none reached; the log written to a file. */
async function application({ databaseUrl }: ServerOptions, port: number): Promise<Express> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-api-'))
  process.once('exit', () => void rm(folder, { recursive: true, force: true }))
  const { settings } = readSettings({
    SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '1000000',
    SEALWRIGHT_RATE_CEREMONY_PER_ADDRESS_PER_MINUTE: '1000000',
  })
  const publicUrl = `http://127.0.0.1:${port}`
  const keys = deriveInstallationKeys(randomBytes(32))
  const core = {
    database: openDatabase({ url: databaseUrl, pool: POOL, role: 'sealwright_api' }),
    storage: openFileStore({ folder: path.join(folder, 'storage'), publicUrl, presignKey: keys.presign }),
    keys,
    settings: { ...settings, publicUrl },
    threads: openThreads({ folder }),
    log: openLog('info', path.join(folder, 'log')),
  }
  return createApp(core, { reports: openReportPool(), spoolDir: folder, pagesDir: folder })
}

function baseline({ databaseUrl, orgId, credentialId, filter }: ServerOptions): Express {
  const sql = openDatabase({ url: databaseUrl, pool: POOL })
  const origin = { address: null, userAgent: null }
  const caller: CredentialCaller = { kind: 'credential', orgId, credentialId, clientId: '', origin }
  const app = express()
  app.get('/api/v1/envelopes/:id', async (request, response) => {
    const [row] = await selectEnvelopeView(sql, caller, EnvelopeId.parse(request.params.id))
    response.json(row)
  })
  app.get('/api/v1/envelopes', async (_request, response) => {
    const { envelopes: content } = await searchEnvelopes(sql, caller, filter, { offset: 0, limit: 20, plan: 'scan' })
    const totalElements = await countMatching(sql, caller, filter, { most: 10_001, plan: 'scan' })
    response.json({ content, totalElements })
  })
  return app
}
