// Checks that the role of a pool has the grants of the migrations. A dump restored without privileges keeps tables and policies but loses the grants.
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { Sql } from './client.ts'

/** Throws StartupError when a policy gives the role rows of a table that it has no privilege to read. Passes before the migrations, when there are no
 *  policies. */
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
