// A connection that all single reads of a process share. It stays behind the wall of the organisation that asked last, so that a read is one statement,
// and reads that come together travel together. Nothing else runs on it, and every read first sees to it that the wall is its own organisation's.
import type { OrgId } from '#core/ids.ts'
import type postgres from 'postgres'
import type { Statement } from './sql.ts'
import { type HeldConnection, holdConnection, type Transactable } from './transaction.ts'

export interface SharedReader {
  /** What the statement answers behind the organisation's wall. Rejects when the connection is lost; the next read gets another. */
  ask: <Row extends object>(orgId: OrgId, statement: Statement<Row>) => Promise<Row[]>
  /** Lets what is under way finish. */
  end: () => Promise<void>
}

interface Walled {
  connection: HeldConnection
  /** Whose wall stands once all that is on its way has run. */
  orgId?: OrgId | undefined
  wall?: Promise<unknown>
}

const END_WITHIN_SECONDS = 5

/** `pool` is the lane's alone, has one connection, and cannot write; `wallOf` is the statement that puts the wall up for the session. */
export function openSharedReader(pool: Transactable & Pick<postgres.Sql, 'end'>, wallOf: (orgId: OrgId) => string): SharedReader {
  let held: Promise<Walled> | undefined

  async function hold(): Promise<Walled> {
    const connection = await holdConnection(pool)
    connection.lost.catch(() => (held = undefined))
    return { connection }
  }

  async function current(): Promise<Walled> {
    held ??= hold()
    try {
      return await held
    } catch (error) {
      held = undefined
      throw error
    }
  }

  /** NOTE: `execute` puts it on the way before what follows; a query that is merely awaited sets out later, perhaps behind another's wall. */
  function putUp(walled: Walled, orgId: OrgId): void {
    const wall = walled.connection.unsafe(wallOf(orgId)).simple().execute()
    wall.catch(() => delete walled.orgId)
    Object.assign(walled, { orgId, wall })
  }

  return {
    async ask(orgId, statement) {
      const walled = await current()
      if (walled.orgId !== orgId) putUp(walled, orgId)
      const [rows] = await Promise.all([statement(walled.connection).execute(), walled.wall])
      return rows
    },
    async end() {
      const { connection } = (await held?.catch(() => undefined)) ?? {}
      connection?.release()
      await pool.end({ timeout: END_WITHIN_SECONDS })
    },
  }
}
