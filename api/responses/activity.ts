// A line of the activity, as answers hold it.
import type { ActivityEntry } from '#core/account/activity/activity.ts'
import type { ActivityResponse } from '../schemas/activity.ts'

export function toActivityResponse({ id, at, actor, action, detail, address }: ActivityEntry): ActivityResponse {
  const by =
    actor.kind === 'person'
      ? { actor: 'PERSON' as const, person: { id: actor.personId, email: actor.email } }
      : { actor: actor.kind === 'operator' ? ('OPERATOR' as const) : ('KUBERNETES' as const), person: null }
  return { id, at: at.toISOString(), ...by, action, detail: { ...detail }, address }
}
