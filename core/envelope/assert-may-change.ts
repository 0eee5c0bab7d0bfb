import type { Caller, Core } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { Permission } from '#core/account/workspace/rules.ts'
import { lockEnvelopeForChange } from './lock-for-change.ts'

/** Throws ENVELOPE_NOT_FOUND or ForbiddenError as a change would, whatever the envelope's status. */
export async function assertMayChange(
  core: Pick<Core, 'database'>,
  caller: Caller,
  id: EnvelopeId,
  permission: Permission,
): Promise<void> {
  await inOrganisation(core.database, caller.orgId, (sql) => lockEnvelopeForChange(sql, caller, id, permission))
}
