// The three tiers as separate processes on real servers on this machine, for evaluation and tests.
import type { Settings } from '#core/platform/config/settings.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { migrate } from '#core/platform/postgres/migrate.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { publicUrlOf } from '#core/installation/open-core.ts'
import type { Stop } from '#core/platform/process/shutdown-signal.ts'
import { type DataFolder, openDataFolder } from '../embedded/data-folder.ts'
import { loadOrCreateFirstOrganisation } from '../embedded/first-organisation.ts'
import { loadOrCreateIdentity, loadOrCreateInstallationKey } from '../embedded/secrets.ts'
import { createDatabaseUsers, type DatabaseUrls } from '../servers/database-users.ts'
import { startRealServers } from './real-servers.ts'
import { newRunFiles } from './run-files.ts'
import { type Pids, startTiers } from './start-tiers.ts'

/** What a start adds to the tiers and their servers. */
export interface SplitAddition {
  /** Settings of one process, by its name. */
  environmentOf(process: string): Readonly<Record<string, string>>
  /** Settings of this command that are not passed on. */
  withheld: readonly string[]
  devJson(pids: Pids): Readonly<Record<string, unknown>>
  lines: readonly string[]
}

export interface SplitOptions {
  /** One process each, as in a cluster; a tier may have any number. */
  processes: readonly { name: string; command: readonly string[] }[]
  /** Also on a Postgres that the settings name; it belongs to others, and its users are theirs. */
  makesDatabaseUsers?: boolean
  /** What it starts ends with the stack, after the tiers. */
  prepare?: (settings: Settings, folder: DataFolder, stack: AsyncDisposableStack) => Promise<SplitAddition>
}

/** Runs until a stop is requested. Throws the message of a server or process that does not start. */
export async function runSplit(stop: Stop, { processes, makesDatabaseUsers = false, prepare }: SplitOptions): Promise<void> {
  const { settings } = readSettings(process.env)
  await using folder = await openDataFolder(settings.dataDir)
  await using stack = new AsyncDisposableStack()
  const identity = await loadOrCreateIdentity(folder)
  const servers = await startRealServers(settings, folder, identity, stack)
  const addition = await prepare?.(settings, folder, stack)
  await migrate(servers.databaseUrl)
  const users = makesDatabaseUsers || !settings.databaseUrl ? await createDatabaseUsers(servers.databaseUrl) : undefined
  const organisation = await withSystem(servers.databaseUrl, (database) =>
    loadOrCreateFirstOrganisation({ database }, folder, identity),
  )
  const publicUrl = publicUrlOf(settings)
  const environment = {
    // Without a mail server, this trial run keeps emails in the data folder.
    ...(!settings.smtpUrl && { SEALWRIGHT_MAIL_KEEP: 'true' }),
    SEALWRIGHT_ALLOW_SELF_SIGNED_KEYS: 'true',
    ...ownSettings(addition?.withheld ?? []),
    ...servers.environment,
    SEALWRIGHT_DATABASE_URL: servers.databaseUrl,
    SEALWRIGHT_INSTALLATION_KEY: (await loadOrCreateInstallationKey(folder)).toString('base64'),
    SEALWRIGHT_DATA_DIR: folder.root,
  }
  const devJson = {
    baseUrl: publicUrl,
    tokenUrl: `${publicUrl}/oauth2/token`,
    settingsUrl: `${publicUrl}/settings`,
    ...organisation,
    adminEmail: identity.adminEmail,
    adminPassword: identity.adminPassword,
    pid: process.pid,
  }
  const files = newRunFiles()
  stack.use(files)
  const writeDevJson = (pids: Pids) => files.write(folder.devJson, JSON.stringify({ ...devJson, ...addition?.devJson(pids) }))
  const tiers = stack.use(
    await startTiers({
      processes: processes.map((each) => ({
        ...each,
        environment: { ...signIn(users, each.command), ...addition?.environmentOf(each.name) },
      })),
      environment,
      host: settings.host,
      folder: folder.root,
    }),
  )
  await tiers.untilReady(stop.signal)
  files.write(folder.databaseUrl, `${servers.databaseUrl}\n`)
  writeDevJson(tiers.pids())
  // A restarted process has another pid.
  tiers.onChange(writeDevJson)
  await files.written()
  const lines = [...servers.lines, ...(addition?.lines ?? [])].map((line) => `  ${line}`)
  console.log(['', ...lines, '', `Sealwright is ready at ${publicUrl}`].join('\n'))
  await stop.requested
  console.log('Stopping...')
}

/** Signs in as the component of the chart that runs what the process runs; without users, as the owner. */
function signIn(users: DatabaseUrls | undefined, [main = '', ...roles]: readonly string[]): Record<string, string> {
  if (!users) return {}
  const worker = roles.length === 0 || roles.includes('seal') ? users.worker : users.relay
  const others = main.startsWith('api/') ? users.api : users.controller
  return { SEALWRIGHT_DATABASE_URL: main.startsWith('workers/') ? worker : others }
}

/** Passes this command's settings on to every tier. */
function ownSettings(withheld: readonly string[]): Record<string, string> {
  const given = Object.entries(process.env).filter(
    ([name]) => /^(SEALWRIGHT|OTEL)_|^(NODE_COMPILE_CACHE|NODE_OPTIONS|HOME)$/.test(name) && !withheld.includes(name),
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
