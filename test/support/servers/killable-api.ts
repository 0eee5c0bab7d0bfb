// The API as a separate process that a test can kill. Reads its options as JSON from the environment and prints its address when it serves.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { createApp } from '../../../api/http/app.ts'
import { serve } from '../../../api/serve.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import { openReportPool } from '#core/audit-report/report-pool.ts'
import { openThreads } from '#core/thread-pools.ts'

interface Given {
  databaseUrl: string
  folder: string
  installationKey: string
  publicUrl: string
}

const { databaseUrl, folder, installationKey, publicUrl }: Given = JSON.parse(process.env['KILLABLE_API'] ?? '{}')

const keys = deriveInstallationKeys(Buffer.from(installationKey, 'base64'))
const spoolDir = path.join(folder, 'spool')
await mkdir(spoolDir, { recursive: true })
const core = {
  database: openDatabase({ url: databaseUrl, pool: 30, role: 'sealwright_api' }),
  storage: openFileStore({ folder: path.join(folder, 'storage'), publicUrl, presignKey: keys.presign }),
  keys,
  settings: { ...readSettings({}).settings, publicUrl },
  threads: openThreads(),
  log: openLog('info', path.join(folder, 'log')),
}
const { port } = await serve(createApp(core, { reports: openReportPool(), spoolDir, pagesDir: folder }), '127.0.0.1', 0)
console.log(`http://127.0.0.1:${port}`)
