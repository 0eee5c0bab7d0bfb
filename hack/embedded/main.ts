// `npm start`: the whole service in one process on this machine. Dependencies that the settings do not name are embedded.
import { rm, writeFile } from 'node:fs/promises'
import { openLog } from '#core/platform/log.ts'
import { readSettings, SettingsError } from '#core/platform/config/read-settings.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { listenForShutdown, type Stop } from '#core/platform/process/shutdown-signal.ts'
import { widenThreadPool } from '#core/platform/process/widen-thread-pool.ts'
import { startService } from './start-service.ts'

const UNSENT = 'SEALWRIGHT_MAIL_KEEP=false requires SEALWRIGHT_SMTP_URL.'

async function main(stop: Stop): Promise<void> {
  const { settings, withoutEffect } = readSettings({ SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS: 'true', ...process.env })
  if (settings.mailKeep === false && !settings.smtpUrl) throw new SettingsError([UNSENT])
  for (const name of withoutEffect) console.log(`NOTE: ${name} has no effect in this version.`)
  await using folder = await openDataFolder(settings.dataDir)
  const log = openLog(settings.logLevel, folder.log)
  await using tracing = new AsyncDisposableStack()
  tracing.use(await startTracing(process.env, 'sealwright', log))
  await using service = await startService(settings, folder, log, stop.signal)
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => removeFiles(folder))
  await writeFile(folder.databaseUrl, `${service.databaseUrl}\n`, { mode: 0o600 })
  await writeFile(folder.devJson, `${JSON.stringify({ ...service.devJson, pid: process.pid }, null, 2)}\n`, { mode: 0o600 })
  console.log(service.summary)
  await Promise.race([stop.requested, service.failed])
  console.log('Stopping...')
}

/** Removes the files that tell other programs how to reach the running service. */
async function removeFiles(folder: DataFolder): Promise<void> {
  await rm(folder.devJson, { force: true })
  await rm(folder.databaseUrl, { force: true })
}

widenThreadPool()
await runProcess(listenForShutdown({ withParent: true }), main)
