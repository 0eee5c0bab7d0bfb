// Wraps the driver in a process with kill points: every statement is reported before it is sent.
import postgres from 'postgres'
import { pass } from './kill-points.ts'

/** By connection: the statements of its open transaction. */
const open = new Map<number, string[]>()

function watch(connection: number, query: string): void {
  const statement = query.replaceAll(/\s+/g, ' ').trim()
  if (statement.startsWith('begin')) open.set(connection, [])
  open.get(connection)?.push(statement)
  if (statement === 'commit') pass('commit', (open.get(connection) ?? []).join('; '))
  else pass('statement', statement)
}

// oxlint-disable-next-line import/no-default-export -- stands in for a module that exports so
export default Object.assign(
  (url: string, options: postgres.Options<Record<string, postgres.PostgresType>>) => postgres(url, { ...options, debug: watch }),
  postgres,
)
