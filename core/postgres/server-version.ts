// The oldest Postgres that the schema runs on.
import { StartFault } from '#core/start/start-fault.ts'
import type { Sql } from './client.ts'

/** As in `server_version_num`. */
const OLDEST_SERVER = 150_000

/** Throws StartFault when the server is older. */
export async function assertServerVersion(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: number; name: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name`
  if (!server || server.version >= OLDEST_SERVER) return
  throw new StartFault('DATABASE_VERSION', `SEALWRIGHT_DATABASE_URL: Postgres ${server.name} is too old; 15 or later is needed.`)
}
