// `npm start`: the whole service in one process on this machine. Each real part is used when its setting is given, else the embedded one.
import { rm, writeFile } from 'node:fs/promises'
import { readSettings } from '#core/config/read-settings.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { awaitStop } from './await-stop.ts'
import { startService } from './start-service.ts'

const stop = awaitStop()

async function main(): Promise<void> {
  const { settings, withoutEffect } = readSettings(process.env)
  for (const name of withoutEffect) console.log(`NOTE: ${name} has no effect in this version.`)
  await using folder = await openDataFolder(settings.dataDir)
  await using service = await startService(settings, folder, stop.signal)
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => removeFiles(folder))
  await writeFile(folder.databaseUrl, `${service.databaseUrl}\n`, { mode: 0o600 })
  await writeFile(folder.devJson, `${JSON.stringify({ ...service.devJson, pid: process.pid }, null, 2)}\n`, { mode: 0o600 })
  console.log(service.summary)
  await stop.requested
  console.log('Stopping ...')
}

/** What tells others how to reach the running service goes with it. */
async function removeFiles(folder: DataFolder): Promise<void> {
  await rm(folder.devJson, { force: true })
  await rm(folder.databaseUrl, { force: true })
}

try {
  await main()
} catch (error) {
  // Stopped while it was starting: nothing went wrong.
  if (error !== stop.signal.reason) {
    // One sentence for whoever started it; what lies behind it is in the log of the part that failed.
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
