// Checks what the schema needs of a server and its database, before anything else.
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { Sql } from './client.ts'

/** The oldest supported Postgres, as in `server_version_num`. */
const OLDEST_SERVER = 150_000

/** Throws StartupError when the server is older, or the database encoding is not UTF-8. */
export async function assertServerVersion(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: number; name: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding`
  if (!server) return
  const { version, name, encoding } = server
  if (version < OLDEST_SERVER) throw unfit(`Postgres ${name} is too old; version 15 or later is required.`)
  if (encoding !== 'UTF8') throw unfit(`the database has the encoding ${encoding}; create one with the encoding UTF8.`)
}

function unfit(text: string): StartupError {
  return new StartupError('DATABASE_UNFIT', `SEALWRIGHT_DATABASE_URL: ${text}`)
}
