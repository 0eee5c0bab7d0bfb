// How every change of an envelope by its organisation begins: the row lock, then the caller's permission on it.
import type { Caller } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { assertMay } from '#core/workspace/assert-may.ts'
import type { Permission } from '#core/workspace/rules.ts'
import { type LockedEnvelope, lockEnvelope } from './store.ts'

/** The envelope, locked until the transaction ends. Throws ENVELOPE_NOT_FOUND, or Forbidden when it may be read but not changed so. */
export async function lockEnvelopeFor(sql: Sql, caller: Caller, id: EnvelopeId, permission: Permission): Promise<LockedEnvelope> {
  const envelope = await lockEnvelope(sql, caller.orgId, id)
  if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
  await assertMay(sql, caller, envelope.workspaceId, permission, 'ENVELOPE_NOT_FOUND')
  return envelope
}
