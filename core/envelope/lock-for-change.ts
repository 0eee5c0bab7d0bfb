// How every change of an envelope by its organisation begins: the row lock and, in the same statement, the caller's permission on it.
import type { Caller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { ForbiddenError } from '#core/account/workspace/forbidden.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { holds, type Permission } from '#core/account/workspace/rules.ts'
import { type LockedEnvelope, lockReadableEnvelope } from './store.ts'

/** The envelope, locked until the transaction ends. Throws ENVELOPE_NOT_FOUND, or ForbiddenError when it may be read but not changed so.
 *  Reads may travel with it and see what was committed under the lock; writes may not, nor what takes more than one statement: in a joined
 *  transaction they would stay when this throws. */
export async function lockEnvelopeForChange(
  sql: Sql,
  caller: Caller,
  id: EnvelopeId,
  permission: Permission,
): Promise<LockedEnvelope> {
  const row = await lockReadableEnvelope(sql, caller, id)
  // What cannot be read does not exist, what can be read but not done is forbidden.
  if (!row) throw new DomainError('ENVELOPE_NOT_FOUND')
  const { permissions, ...envelope } = row
  if (!holds(permissions, permission)) throw new ForbiddenError(permission)
  return envelope
}
