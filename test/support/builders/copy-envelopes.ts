// Multiplies an organisation's envelopes in the database, for tests of query growth: all rows are copied under new ids. Only for SQL:
// hashes and counters of the copies are wrong.
import type { OrgId } from '#core/ids.ts'
import type { Database } from '#core/platform/postgres/client.ts'

const TABLES =
  `envelopes documents signers signing_links document_views otp_challenges signatures seal_jobs sealed_documents mails outbox audit_events
  audit_heads envelope_labels`.split(/\s+/)
const SAME_FOR_ALL = ['workspace_id', 'person_id']
const SECRETS = ['token_hash', 'copy_token_hash']

/** Copies every envelope of an organisation `times` into another, or into itself. Throws when a table has no row of it. Does not analyze. */
export async function copyEnvelopes(owner: Database, orgId: OrgId, times: number, into: OrgId = orgId): Promise<void> {
  await owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    for (const table of TABLES) {
      const columns = await sql<{ name: string; type: string }[]>`
        select column_name as name, data_type as type from information_schema.columns
        where table_name = ${table} and table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO'`
      const names = columns.map(({ name }) => `"${name}"`).join(', ')
      const { count } = await sql.unsafe(
        `insert into ${table} (${names})
         select ${columns.map(fresh).join(', ')} from ${table} row, generate_series(1, $2::int) copy where row.org_id = $1::uuid`,
        [orgId, times, into],
      )
      if (count === 0) throw new Error(`There was nothing to copy in ${table}.`)
    }
  })
}

function fresh({ name, type }: { name: string; type: string }): string {
  const value = `row."${name}"`
  if (name === 'org_id') return '$3::uuid'
  if (SECRETS.includes(name)) return `sha256(${value} || convert_to(copy || $3::uuid::text, 'UTF8'))`
  return type === 'uuid' && !SAME_FOR_ALL.includes(name) ? `md5(${value}::text || copy || $3::uuid::text)::uuid` : value
}
