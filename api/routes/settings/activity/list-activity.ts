import { listActivity } from '#core/account/activity/list-activity.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toActivityResponse } from '../../../responses/activity.ts'
import { ListActivityQuery, PagedActivityResponse } from '../../../schemas/activity.ts'
import { toPage } from '../../../schemas/page.ts'

export const listActivityRoute = definePanelRoute({
  operationId: 'listActivity',
  summary: 'List activity of people in the panel and of the operator on the command line, newest first',
  access: 'admin',
  method: 'get',
  path: '/settings/api/activity',
  params: z.object({}),
  query: ListActivityQuery,
  success: 200,
  response: PagedActivityResponse,
  errors: ['PAGE_TOO_DEEP'],
  handle: async ({ core, caller, query }) => {
    const { content, ...page } = await listActivity(core, caller, toPage(query))
    return { content: content.map(toActivityResponse), ...page }
  },
})
