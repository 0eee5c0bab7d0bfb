// Whether the role of a pool has the rights that the migrations gave it. A dump without privileges keeps tables and walls, and loses them.
import { StartupError } from '#core/platform/process/startup-error.ts'
import type { Sql } from './client.ts'

/** Throws StartupError when there is a table behind whose wall the role has rows to read, and no right to read it. None is there before the migrations. */
export async function assertGrants(sql: Sql): Promise<void> {
  const [missing] = await sql<{ role: string; tableName: string }[]>`
    select current_user as role, tablename as table_name
    from pg_policies
    where schemaname = current_schema() and current_user = any(roles)
      and not has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
    order by tablename
    limit 1`
  if (!missing) return
  const { role, tableName } = missing
  const sentence = `SEALWRIGHT_DATABASE_URL: the role ${role} lacks the privilege to read the table ${tableName}; restore the database with its privileges.`
  throw new StartupError('DATABASE_RIGHTS', sentence)
}
