// A request may name its organisation, which must be the token's own. Spec, Authentication 4 and 7.
import type { Caller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { OrgId } from '#core/ids.ts'
import { z } from 'zod'

export const OwnOrganisationQuery = z.object({
  orgId: OrgId.optional().describe('If given, it must be the organisation of the token.'),
})

/** Throws ORGANISATION_NOT_FOUND for any other organisation, whether or not it exists. */
export function assertOwnOrganisation({ orgId }: Caller, named: OrgId | null | undefined): void {
  if (named && named !== orgId) throw new DomainError('ORGANISATION_NOT_FOUND')
}
