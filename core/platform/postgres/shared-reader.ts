// One connection per process for all single reads, which are pipelined. It keeps the RLS scope of the last organisation, so that a read is one
// statement. Nothing else uses it, and every read sets its own scope first.
import type { OrgId } from '#core/ids.ts'
import type postgres from 'postgres'
import type { Statement } from './sql.ts'
import { type HeldConnection, holdConnection, type Transactable } from './transaction.ts'

export interface SharedReader {
  /** Runs the statement in the organisation's RLS scope. Rejects when the connection is lost; the next read opens another. */
  read: <Row extends object>(orgId: OrgId, statement: Statement<Row>) => Promise<Row[]>
  /** Finishes running reads. */
  end: () => Promise<void>
}

interface ScopedConnection {
  connection: HeldConnection
  /** The scope once everything sent so far has run. */
  orgId?: OrgId | undefined
  scope?: Promise<unknown>
}

const END_WITHIN_SECONDS = 5

/** `pool` is used by this reader alone, has one connection, and is read-only; `settingOf` sets the RLS scope of the session. */
export function openSharedReader(
  pool: Transactable & Pick<postgres.Sql, 'end'>,
  settingOf: (orgId: OrgId) => string,
): SharedReader {
  let held: Promise<ScopedConnection> | undefined

  async function hold(): Promise<ScopedConnection> {
    const connection = await holdConnection(pool)
    connection.lost.catch(() => (held = undefined))
    return { connection }
  }

  async function current(): Promise<ScopedConnection> {
    held ??= hold()
    try {
      return await held
    } catch (error) {
      held = undefined
      throw error
    }
  }

  /** NOTE: `execute` sends it before what follows; a query that is merely awaited is sent later, perhaps in another organisation's scope. */
  function setScope(scoped: ScopedConnection, orgId: OrgId): void {
    const scope = scoped.connection.unsafe(settingOf(orgId)).simple().execute()
    scope.catch(() => delete scoped.orgId)
    Object.assign(scoped, { orgId, scope })
  }

  return {
    async read(orgId, statement) {
      const scoped = await current()
      if (scoped.orgId !== orgId) setScope(scoped, orgId)
      const [rows] = await Promise.all([statement(scoped.connection).execute(), scoped.scope])
      return rows
    },
    async end() {
      const { connection } = (await held?.catch(() => undefined)) ?? {}
      connection?.release()
      await pool.end({ timeout: END_WITHIN_SECONDS })
    },
  }
}
