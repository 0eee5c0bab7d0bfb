import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sql } from '#core/platform/postgres/client.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

interface Column {
  table: string
  name: string
  type: string
  fallback: string
}

interface Constraint {
  table: string
  definition: string
}

const INTRODUCTION = `# Tables

The columns of every table after all migrations. A test compares this file with the database; after a new migration, update it with
\`npm test -- --project store test/store/schema.test.ts -u\`.
`

// A reader looks up columns here; the history of a table is spread over the migrations.
test('core/schema/tables.md lists the tables as the migrations leave them', async () => {
  await expect(await describeTables(database.owner)).toMatchFileSnapshot('../../core/schema/tables.md')
})

async function describeTables(sql: Sql): Promise<string> {
  const columns = await sql<Column[]>`
    select c.relname as table, a.attname as name,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as type,
      case
        when a.attidentity <> '' then 'identity'
        when a.attgenerated <> '' then 'generated: ' || pg_get_expr(d.adbin, d.adrelid)
        else coalesce('default ' || pg_get_expr(d.adbin, d.adrelid), '')
      end as fallback
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C", a.attnum`
  const constraints = await sql<Constraint[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c')
    order by position(contype in 'pufc'), conname collate "C"`
  const byTable = Map.groupBy(columns, ({ table }) => table)
  const sections = Array.from(byTable, ([table, own]) => {
    const width = (key: 'name' | 'type') => Math.max(...own.map((column) => column[key].length)) + 2
    const lines = own.map(({ name, type, fallback }) => name.padEnd(width('name')) + type.padEnd(width('type')) + fallback)
    const rules = constraints.filter((constraint) => constraint.table === table).map(({ definition }) => definition)
    return `## ${table}\n\n\`\`\`\n${[...lines.map((line) => line.trimEnd()), '', ...rules].join('\n').trimEnd()}\n\`\`\`\n`
  })
  return [INTRODUCTION, ...sections].join('\n')
}
