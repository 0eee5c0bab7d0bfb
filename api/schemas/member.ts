// The wire shape of who may do what in a workspace. Running, section 4.
import { PersonId } from '#core/ids.ts'
import type { Member } from '#core/account/workspace/list-members.ts'
import { z } from 'zod'
import { PermissionsBody, PermissionsResponse } from './permission.ts'
import { Uuid } from './scalars.ts'

export const MembersBody = z
  .array(z.object({ adminOrMemberId: PersonId, permissions: PermissionsBody }))
  .refine(
    (members) => new Set(members.map(({ adminOrMemberId }) => adminOrMemberId)).size === members.length,
    'must not name a person twice',
  )

export const MemberResponse = z
  .object({
    adminOrMemberId: Uuid.describe(
      'Admins have all permissions everywhere. A grant to an admin is stored and takes effect if they become a member.',
    ),
    permissions: PermissionsResponse,
  })
  .meta({ id: 'MemberResponse' })

export function toMembers(body: z.output<typeof MembersBody>): Member[] {
  return body.map(({ adminOrMemberId, permissions }) => ({ personId: adminOrMemberId, permissions }))
}

export function toMemberResponse({ personId, permissions }: Member): z.input<typeof MemberResponse> {
  return { adminOrMemberId: personId, permissions }
}
