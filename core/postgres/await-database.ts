// A process may start before its database does, or before the migrations have run: it waits and says for what.
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '#core/errors/domain-error.ts'
import type { Logger } from '#core/log.ts'
import type { Database } from './client.ts'
import { listPending } from './migrate.ts'
import { fromPostgresError } from './postgres-error.ts'

/** The oldest server that the schema was tried on; `server_version_num`. */
const OLDEST_SERVER = 150_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** Resolves when the database answers and has every migration. Throws one sentence for what no waiting cures, and the signal's reason when stopped. */
export async function awaitDatabase(database: Database, log: Logger, signal: AbortSignal): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted()
    const missing = await whatIsMissing(database)
    if (!missing) return
    log.warn({ missing, pauseMs }, 'database.awaited')
    await delay(pauseMs, undefined, { signal }).catch(() => {})
  }
}

async function whatIsMissing(database: Database): Promise<string | undefined> {
  try {
    const [server] = await database<{ version: number; name: string }[]>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as name`
    if (server && server.version < OLDEST_SERVER)
      throw new Error(`SEALWRIGHT_DATABASE_URL: Postgres ${server.name} is too old; 15 or later is needed.`)
    const pending = await listPending(database)
    return pending.length > 0 ? `migrations ${pending.join(', ')}; run "sealwright migrate"` : undefined
  } catch (error) {
    const known = fromPostgresError(error)
    if (known instanceof DomainError) return error instanceof Error ? error.message : known.message
    if (stateOf(error) === ROLE_MISSING) return 'the first migration; run "sealwright migrate"'
    throw explain(error)
  }
}

/** The roles come with the first migration, and a pool of one of them cannot even connect before. */
const ROLE_MISSING = '22023'

const SENTENCE_OF_STATE: Partial<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the server does not let this user in',
  '3D000': 'the database does not exist',
  '42501': 'the user lacks the rights',
}

function explain(error: unknown): unknown {
  const sentence = SENTENCE_OF_STATE[stateOf(error) ?? '']
  if (!sentence || !(error instanceof Error)) return error
  return new Error(`SEALWRIGHT_DATABASE_URL: ${sentence} (${error.message}).`, { cause: error })
}

function stateOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
