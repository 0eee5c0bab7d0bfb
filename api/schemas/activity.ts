// What an organisation's people did, and the operator for it, on the wire.
import type { ActivityEntry } from '#core/account/activity/activity.ts'
import { ACTIVITIES } from '#core/account/activity/rules.ts'
import { z } from 'zod'
import { PAGE_FIELDS } from './envelope-list.ts'
import { pageOf } from './page.ts'
import { DateTime, Int64, Uuid } from './scalars.ts'

export const ListActivityQuery = z.object(PAGE_FIELDS)

const ActivityResponse = z
  .object({
    id: Int64,
    at: DateTime,
    actor: z.enum(['PERSON', 'OPERATOR']).meta({ description: 'OPERATOR: a command on the command line of the installation.' }),
    person: z.object({ id: Uuid, email: z.string() }).nullable().meta({ description: 'Null for the operator.' }),
    action: z.enum(ACTIVITIES),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'Ids and names of what was changed.' }),
    address: z.string().nullable().meta({ description: 'IP address of the request. Null for the operator.' }),
  })
  .meta({ id: 'ActivityResponse' })

export const PagedActivityResponse = pageOf(ActivityResponse).meta({
  id: 'PagedActivityResponse',
  description: 'One page of the activity log, newest first.',
})

export function toActivityResponse({ id, at, actor, action, detail, address }: ActivityEntry): z.input<typeof ActivityResponse> {
  const by =
    actor.kind === 'person'
      ? { actor: 'PERSON' as const, person: { id: actor.personId, email: actor.email } }
      : { actor: 'OPERATOR' as const, person: null }
  return { id, at: at.toISOString(), ...by, action, detail: { ...detail }, address }
}
