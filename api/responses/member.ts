// A member of a workspace, as answers hold it.
import type { Member } from '#core/account/workspace/list-members.ts'
import type { MemberResponse } from '../schemas/member.ts'

export function toMemberResponse({ personId, permissions }: Member): MemberResponse {
  return { adminOrMemberId: personId, permissions }
}
