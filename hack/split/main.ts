// `npm run start:split`: the three tiers as separate processes on real servers on this machine, for evaluation and tests.
import { rm, writeFile } from 'node:fs/promises'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { listenForShutdown, type Stop } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { openDataFolder } from '../embedded/data-folder.ts'
import { loadOrCreateFirstOrganisation } from '../embedded/first-organisation.ts'
import { loadOrCreateIdentity, loadOrCreateInstallationKey } from '../embedded/secrets.ts'
import { startRealServers } from './real-servers.ts'
import { startTiers } from './start-tiers.ts'

/** One process per line, as in a cluster; a tier may have any number. */
const PROCESSES = [
  { name: 'api', command: ['api/main.ts'] },
  { name: 'relay', command: ['workers/main.ts', 'relay'] },
  { name: 'mail', command: ['workers/main.ts', 'mail'] },
  { name: 'seal', command: ['workers/main.ts', 'seal'] },
  { name: 'deliver', command: ['workers/main.ts', 'deliver'] },
  { name: 'controller', command: ['controller/main.ts'] },
]

async function main(stop: Stop): Promise<void> {
  const { settings } = readSettings(process.env)
  await using folder = await openDataFolder(settings.dataDir)
  await using stack = new AsyncDisposableStack()
  const identity = await loadOrCreateIdentity(folder)
  const servers = await startRealServers(settings, folder, identity, stack)
  await migrate(servers.databaseUrl)
  const organisation = await withSystem(servers.databaseUrl, (database) =>
    loadOrCreateFirstOrganisation({ database }, folder, identity),
  )
  const publicUrl = publicUrlOf(settings)
  const environment = {
    // Without a mail server, this trial run keeps emails in the data folder.
    ...(!settings.smtpUrl && { SEALWRIGHT_MAIL_KEEP: 'true' }),
    ...ownSettings(),
    ...servers.environment,
    SEALWRIGHT_DATABASE_URL: servers.databaseUrl,
    SEALWRIGHT_INSTALLATION_KEY: (await loadOrCreateInstallationKey(folder)).toString('base64'),
    SEALWRIGHT_DATA_DIR: folder.root,
  }
  const tiers = stack.use(await startTiers({ processes: PROCESSES, environment, host: settings.host, folder: folder.root }))
  await tiers.untilReady(stop.signal)
  const files = [
    [folder.databaseUrl, `${servers.databaseUrl}\n`],
    [
      folder.devJson,
      JSON.stringify({
        baseUrl: publicUrl,
        tokenUrl: `${publicUrl}/oauth2/token`,
        settingsUrl: `${publicUrl}/settings`,
        ...organisation,
        adminEmail: identity.adminEmail,
        adminPassword: identity.adminPassword,
        pid: process.pid,
      }),
    ],
  ] as const
  for (const [file, text] of files) {
    await writeFile(file, text, { mode: 0o600 })
    stack.defer(() => rm(file, { force: true }))
  }
  console.log(['', ...servers.lines.map((line) => `  ${line}`), '', `Sealwright is ready at ${publicUrl}`].join('\n'))
  await stop.requested
  console.log('Stopping...')
}

/** Passes this command's settings on to every tier. */
function ownSettings(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) =>
    /^(SEALWRIGHT|OTEL)_|^(NODE_COMPILE_CACHE|NODE_OPTIONS|HOME)$/.test(name),
  )
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']))
}

async function withSystem<T>(url: string, work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, pool: 1, role: 'sealwright_system' })
  try {
    return await work(database)
  } finally {
    await database.end({ timeout: 5 })
  }
}

await runProcess(listenForShutdown({ withParent: true }), main)
