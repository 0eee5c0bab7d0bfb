// Explains a statement's generic plan: Postgres uses it after a few executions, without the values, so it may differ from plain `explain`.
import type { OrgId } from '#core/ids.ts'
import { type Database, inOrganisation, type Sql } from '#core/platform/postgres/client.ts'

/** Runs the statement within the organisation and returns `explain (analyze, buffers)` of its generic plan. The pool must have no other user. */
export async function genericPlan(
  database: Database,
  orgId: OrgId,
  statement: (sql: Sql) => PromiseLike<unknown>,
): Promise<string> {
  return inOrganisation(database, orgId, async (sql) => {
    const { text, values } = await compile(database, () => statement(sql))
    await sql`set local plan_cache_mode = force_generic_plan`
    await sql.unsafe(`prepare explained as ${text}`)
    const given = values.length > 0 ? `(${values.map(toLiteral).join(', ')})` : ''
    const lines = await sql.unsafe<Record<string, string>[]>(`explain (analyze, buffers) execute explained ${given}`)
    await sql.unsafe('deallocate explained')
    return lines.flatMap((line) => Object.values(line)).join('\n')
  })
}

/** Runs the statement and returns what the driver sent. */
async function compile(
  { options }: Database,
  run: () => PromiseLike<unknown>,
): Promise<{ text: string; values: readonly unknown[] }> {
  const sent: { text: string; values: readonly unknown[] }[] = []
  options.debug = (_connection, text, values) => sent.push({ text, values })
  try {
    await run()
  } finally {
    options.debug = false
  }
  // The transaction's BEGIN may come before it.
  const statement = sent.at(-1)
  if (!statement) throw new Error('Nothing was sent.')
  return statement
}

function toLiteral(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'value' in value) return toLiteral(value.value)
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `array[${value.map(toLiteral).join(', ')}]`
  return `'${String(value).replaceAll("'", "''")}'`
}
