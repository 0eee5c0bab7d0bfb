import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { checkAnswers } from '../support/judges/check-answers.ts'

const REQUEST_ID = { 'X-Request-Id': '4bf92f3577b34da6a3ce929d0e0e4736' }
const COUNTS = { draft: 0, sent: 0, inProgress: 0, completed: 0, cancelled: 0, expired: 0, total: 0 }
const ERROR = { status: 400, error: 'Bad Request', message: 'No.', path: '/', timestamp: '2026-11-21T09:30:00.000Z' }

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** The checker's findings for the response of `listener` to a request for the statistics. */
async function faultsOf(listener: RequestListener, method = 'GET'): Promise<string[]> {
  const answers = checkAnswers()
  const server = createServer(answers.watch(listener))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  ends.push(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await (await fetch(`http://127.0.0.1:${port}/api/v1/envelopes/stats`, { method })).text()
  return answers.faults()
}

function json(status: number, body: unknown, headers: Record<string, string> = REQUEST_ID): RequestListener {
  return (_request, response) => {
    response.statusCode = status
    response.setHeaders(new Map(Object.entries({ 'Content-Type': 'application/json', ...headers })))
    response.end(JSON.stringify(body))
  }
}

test('a response as described has no findings', async () => {
  expect(await faultsOf(json(200, COUNTS))).toEqual([])
  expect(await faultsOf(json(400, { ...ERROR, code: 'VALIDATION_FAILED' }))).toEqual([])
})

test.each([
  ['a member that is missing', json(200, { ...COUNTS, total: undefined }), /required property 'total'/],
  ['a member that is not described', json(200, { ...COUNTS, secret: 1 }), /"additionalProperty":"secret"/],
  ['a member of another type', json(200, { ...COUNTS, total: '0' }), /must be integer/],
  ['a status that is not declared', json(201, COUNTS), /status is not declared/],
  ['a code that is not declared', json(400, { ...ERROR, code: 'NO_SIGNERS' }), /code NO_SIGNERS is not declared/],
  ['a missing request id', json(200, COUNTS, {}), /X-Request-Id is missing/],
  ['a 503 that does not say when to come again', json(503, { ...ERROR, code: 'SERVICE_UNAVAILABLE' }), /Retry-After is missing/],
  ['another media type', json(200, COUNTS, { ...REQUEST_ID, 'Content-Type': 'text/html' }), /text\/html is not declared/],
])('%s is found', async (_name, listener, fault) => {
  expect(await faultsOf(listener)).toEqual([expect.stringMatching(fault)])
})

test('an undescribed method must be rejected with Allow', async () => {
  expect(await faultsOf(json(200, COUNTS), 'DELETE')).toEqual([expect.stringMatching(/must be 405 with Allow/)])
  expect(await faultsOf(json(405, {}, { Allow: 'GET, HEAD' }), 'DELETE')).toEqual([])
})
