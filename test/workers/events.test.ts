// Events are rows with the receivers' text. `envelope.completed` waits for the sealed copies.
import { releaseOverdue } from '#core/event/release-overdue.ts'
import { COMPLETED_EVENT_HOLD_SECONDS } from '#core/limits.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterEach(() => service.database.moveClock(0))
afterAll(() => service[Symbol.asyncDispose]())

/** Signed by its only signer, and not sealed. */
async function aCompletedEnvelope(): Promise<string> {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA] })
  await signAs(service, tokens[0]!.token)
  return id
}

const released = (id: string) => service.database.owner`
  select type from events where envelope_id = ${id} and released_at is not null order by seq`
const completed = async (id: string) => (await released(id)).filter(({ type }) => type === 'envelope.completed').length

test("an event row has the receivers' text", async () => {
  const id = await aCompletedEnvelope()
  const events = await service.database.owner`select id, type, body from events where envelope_id = ${id} order by seq`
  const [sent] = events
  expect((await released(id)).map(({ type }) => type)).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed'])
  expect(JSON.parse(sent!['body'])).toMatchObject({ id: sent!['id'], type: 'envelope.sent', data: { envelope: { id } } })
  expect(events.map(({ type }) => type)).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed', 'envelope.completed'])
})

test('envelope.completed is released with the sealed copies, once', async () => {
  const id = await aCompletedEnvelope()
  expect(await completed(id)).toBe(0)
  await service.sealEnvelopes()
  expect(await completed(id)).toBe(1)
  await service.database.moveClock(COMPLETED_EVENT_HOLD_SECONDS + 1)
  expect(await releaseOverdue(service.system)).toBe(0)
})

test('envelope.completed is released after 15 minutes without the copies, with an alert', async () => {
  const id = await aCompletedEnvelope()
  await service.database.moveClock(COMPLETED_EVENT_HOLD_SECONDS - 5)
  expect(await releaseOverdue(service.system)).toBe(0)
  await service.database.moveClock(COMPLETED_EVENT_HOLD_SECONDS + 5)
  expect(await releaseOverdue(service.system)).toBe(1)
  expect(await completed(id)).toBe(1)
  const alerts = (await service.readLog()).split('\n').filter((line) => line.includes('"event.released_unsealed"'))
  expect(alerts.some((line) => line.includes(id) && JSON.parse(line).level >= 50)).toBe(true)
  await service.sealEnvelopes()
  expect(await completed(id)).toBe(1)
})
