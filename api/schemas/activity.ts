// What an organisation's people did, on the wire.
import type { ActivityEntry } from '#core/activity/activity.ts'
import { ACTIVITIES } from '#core/activity/rules.ts'
import { z } from 'zod'
import { PAGE_FIELDS } from './envelope-list.ts'
import { pageOf } from './page.ts'
import { DateTime, Int64, Uuid } from './scalars.ts'

export const ListActivityQuery = z.object(PAGE_FIELDS)

const ActivityResponse = z
  .object({
    id: Int64,
    at: DateTime,
    person: z.object({ id: Uuid, email: z.string() }),
    action: z.enum(ACTIVITIES),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'What it was done to: ids and names.' }),
    address: z.string().nullable().meta({ description: 'Where the request came from.' }),
  })
  .meta({ id: 'ActivityResponse' })

export const PagedActivityResponse = pageOf(ActivityResponse).meta({
  id: 'PagedActivityResponse',
  description: 'One page of what people did, newest first.',
})

export function toActivityResponse({
  id,
  at,
  personId,
  email,
  action,
  detail,
  address,
}: ActivityEntry): z.input<typeof ActivityResponse> {
  return { id, at: at.toISOString(), person: { id: personId, email }, action, detail: { ...detail }, address }
}
