// What people did in an organisation, and the operator on its behalf.
import { ACTIVITIES } from '#core/account/activity/rules.ts'
import { z } from 'zod'
import { PAGE_FIELDS, pageOf } from './page.ts'
import { DateTime, Int64, Uuid } from './scalars.ts'

export const ListActivityQuery = z.object(PAGE_FIELDS)

export const ActivityResponse = z
  .object({
    id: Int64,
    at: DateTime,
    actor: z.enum(['PERSON', 'OPERATOR']).meta({ description: 'OPERATOR: whoever runs the installation, by command line.' }),
    person: z.object({ id: Uuid, email: z.string() }).nullable().meta({ description: 'Null for the operator.' }),
    action: z.enum(ACTIVITIES),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'What it was done to: ids and names.' }),
    address: z.string().nullable().meta({ description: 'Where the request came from; null for the operator.' }),
  })
  .meta({ id: 'ActivityResponse' })
export type ActivityResponse = z.output<typeof ActivityResponse>

export const PagedActivityResponse = pageOf(ActivityResponse).meta({
  id: 'PagedActivityResponse',
  description: 'One page of what people did, newest first.',
})
export type PagedActivityResponse = z.output<typeof PagedActivityResponse>
