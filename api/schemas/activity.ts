// What people did in an organisation, and the operator and objects in Kubernetes on its behalf.
import { ACTIVITIES } from '#core/account/activity/rules.ts'
import { z } from 'zod'
import { PAGE_FIELDS, pageOf } from './page.ts'
import { DateTime, Int64, Uuid } from './scalars.ts'

export const ListActivityQuery = z.object(PAGE_FIELDS)

export const ActivityResponse = z
  .object({
    id: Int64,
    at: DateTime,
    actor: z.enum(['PERSON', 'OPERATOR', 'KUBERNETES']).meta({
      description:
        'OPERATOR: a command on the command line of the installation. KUBERNETES: a change of an object, which `detail.object` names.',
    }),
    person: z.object({ id: Uuid, email: z.string() }).nullable().meta({ description: 'Null for the operator and Kubernetes.' }),
    action: z.enum(ACTIVITIES),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'Ids and names of what was changed.' }),
    address: z.string().nullable().meta({ description: 'IP address of the request. Null for the operator and Kubernetes.' }),
  })
  .meta({ id: 'ActivityResponse' })
export type ActivityResponse = z.output<typeof ActivityResponse>

export const PagedActivityResponse = pageOf(ActivityResponse).meta({
  id: 'PagedActivityResponse',
  description: 'One page of the activity log, newest first.',
})
export type PagedActivityResponse = z.output<typeof PagedActivityResponse>
