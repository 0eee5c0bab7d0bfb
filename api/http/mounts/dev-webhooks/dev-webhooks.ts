// The webhook receiver of `npm start`: what it got, as JSON for programs and as a page for people, and how it answers.
import { fileURLToPath } from 'node:url'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { readJsonBody } from '../../body/json-body.ts'
import { parseInput } from '../../body/parse-input.ts'
import { refuseOtherMethods } from '../../middleware/refuse-other-methods.ts'
import { DEV_PAGES_STYLE } from '../dev-pages-style.ts'
import type { WebhookInbox } from './inbox.ts'
import { receiverPage } from './receiver-page.ts'

const PATH = '/dev/webhooks'
// A separate file: the content security policy forbids inline scripts.
const SCRIPT = fileURLToPath(new URL('dev-webhooks.js', import.meta.url))

const Behaviour = z.union(
  [z.strictObject({ status: z.int().min(200).max(599) }), z.strictObject({ hang: z.literal(true) })],
  'must be {"status": 200 to 599} or {"hang": true}',
)

/** `GET /dev/webhooks`, newest first, and `POST /dev/webhooks/behaviour`. Other sites cannot post: browsers send JSON to another origin only if that allows it. */
export function devWebhooks(inbox: WebhookInbox, bodySeconds: number): Router {
  const router = Router({ caseSensitive: true })
  router.get(PATH, (request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store').vary('Accept')
    if (request.accepts(['json', 'html']) === 'html') response.type('html').send(receiverPage(inbox))
    else response.json({ endpointUrl: inbox.endpointUrl, behaviour: inbox.behaviour(), requests: inbox.requests() })
  })
  router.post(`${PATH}/behaviour`, async (request: Request, response: Response) => {
    inbox.setBehaviour(parseInput(Behaviour, await readJsonBody(request, response, bodySeconds)))
    response.json(inbox.behaviour())
  })
  router.get(`${PATH}.css`, (_request, response) => response.sendFile(DEV_PAGES_STYLE))
  router.get(`${PATH}.js`, (_request, response) => response.sendFile(SCRIPT))
  refuseOtherMethods(router, PATH, ['get'])
  refuseOtherMethods(router, `${PATH}/behaviour`, ['post'])
  return router
}
