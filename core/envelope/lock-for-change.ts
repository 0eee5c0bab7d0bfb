// The first step of every change of an envelope by its organisation: the row lock and, in the same statement, the caller's permission.
import type { Caller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { holds, type Permission } from '#core/account/workspace/rules.ts'
import { type LockedEnvelope, lockReadableEnvelope } from './store.ts'

/** The envelope, locked until the transaction ends. Throws ENVELOPE_NOT_FOUND, or ForbiddenError when the caller may read it but not change it so.
 *  Reads may be pipelined with it and see what was committed before the lock; writes and multi-statement operations may not: in a nested transaction
 *  they would persist when this throws. */
export async function lockEnvelopeForChange(
  sql: Sql,
  caller: Caller,
  id: EnvelopeId,
  permission: Permission,
): Promise<LockedEnvelope> {
  const row = await lockReadableEnvelope(sql, caller, id)
  // An unreadable envelope does not exist for the caller; a readable one without the permission is forbidden.
  if (!row) throw new DomainError('ENVELOPE_NOT_FOUND')
  const { permissions, ...envelope } = row
  if (!holds(permissions, permission)) throw new ForbiddenError(permission)
  return envelope
}
