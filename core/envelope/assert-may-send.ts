import type { Caller, Core } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { lockEnvelopeFor } from './lock-for.ts'

/** Throws ENVELOPE_NOT_FOUND or Forbidden as sending it would, whatever its state. */
export async function assertMaySend(core: Pick<Core, 'database'>, caller: Caller, id: EnvelopeId): Promise<void> {
  await inOrganisation(core.database, caller.orgId, (sql) => lockEnvelopeFor(sql, caller, id, 'envelope:send'))
}
