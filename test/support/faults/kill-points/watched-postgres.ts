// The driver in a process that is to die at marks: every statement passes by before it is sent.
import postgres from 'postgres'
import { pass } from './kill-points.ts'

/** By connection: the statements of the transaction that is open there. */
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
