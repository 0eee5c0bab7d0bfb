// Chooses the database: the configured one, or an embedded server in the data folder.
import type { Settings } from '#core/platform/config/settings.ts'
import postgres from 'postgres'
import { startPostgres } from '../servers/postgres.ts'
import type { DataFolder } from './data-folder.ts'
import type { Identity } from './secrets.ts'

const DATABASE = 'sealwright'

export interface ChosenDatabase {
  /** Connects as the owner. */
  url: string
  line: string
  /** Rejects with a message when an embedded server exits, also after a stop; never resolves. */
  ended: Promise<never>
}

/** The stack stops an embedded server. */
export async function chooseDatabase(
  settings: Settings,
  folder: DataFolder,
  identity: Identity,
  stack: AsyncDisposableStack,
): Promise<ChosenDatabase> {
  if (settings.databaseUrl)
    return {
      url: settings.databaseUrl.reveal(),
      line: 'database: as set in SEALWRIGHT_DATABASE_URL',
      ended: new Promise(() => {}),
    }
  console.log('Starting the embedded Postgres...')
  const server = await startPostgres({
    dataDir: folder.postgres,
    password: identity.postgresPassword,
    durable: true,
    persistent: true,
  })
  stack.defer(() => server.stop())
  await ensureDatabase(server.url)
  const ended = server.exited.then((how) => {
    throw new Error(`The embedded Postgres has exited (${how}). See ${folder.postgres}.log, then start again.`)
  })
  // Not awaited during a stop.
  ended.catch(() => {})
  return { url: `${server.url}/${DATABASE}`, line: `database: embedded Postgres in ${folder.postgres}`, ended }
}

async function ensureDatabase(url: string): Promise<void> {
  const admin = postgres(`${url}/postgres`, { max: 1, onnotice: () => {} })
  try {
    const [known] = await admin`select 1 from pg_database where datname = ${DATABASE}`
    if (!known) await admin.unsafe(`create database ${DATABASE}`)
  } finally {
    await admin.end({ timeout: 5 })
  }
}
