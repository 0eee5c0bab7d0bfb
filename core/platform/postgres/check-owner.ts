// Whether a process signs in as the owner of the tables: then row-level security, grants and the schema bind it only as long as it keeps its role.
import type { Sql } from './client.ts'

/** True for a user that owns the tables or is a superuser, whatever role the pool has taken. */
export async function isOwner(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ owns: boolean }[]>`
    select pg_has_role(session_user, relowner, 'member') as owns from pg_class where oid = to_regclass('migrations')`
  return found?.owns ?? false
}
