// The one check of a permission: what cannot be read does not exist, what can be read but not done is forbidden.
import type { Caller } from '#core/context.ts'
import type { ErrorCode } from '#core/errors/codes.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { Forbidden } from '#core/errors/forbidden.ts'
import type { WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { canRead, holds, type Permission, type Role } from './rules.ts'
import { findRole } from './store.ts'

/** The caller's role on the workspace. Throws `missing` when there is none, Forbidden when it lacks the permission. */
export async function assertMay(
  sql: Sql,
  caller: Caller,
  workspaceId: WorkspaceId,
  permission: Permission,
  missing: ErrorCode,
): Promise<Role> {
  const role = await findRole(sql, caller, workspaceId)
  if (!canRead(role)) throw new DomainError(missing)
  if (!holds(role, permission)) throw new Forbidden(permission)
  return role
}
