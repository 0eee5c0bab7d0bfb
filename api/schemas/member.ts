// A workspace's members and their permissions. Running, section 4.
import { PersonId } from '#core/ids.ts'
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
export type MemberResponse = z.output<typeof MemberResponse>
