// Audit reports and seals need the same processors, and only a seal has a signer who waits for it.
import { makeNextReport } from '#core/audit-report/make-next-report.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterEach(async () => {
  await service.database.owner`
    update seal_jobs set state = 'WAITING', leased_until = null, due_at = sealwright_now() where state in ('WAITING', 'DEAD')`
  await service.sealEnvelopes()
  await service.makeReports()
})
afterAll(() => service[Symbol.asyncDispose]())

/** An envelope whose report has been wanted for so long. */
async function ended(secondsAgo: number): Promise<string> {
  const { id } = await aSentEnvelope(service.client)
  expect((await service.client.post(`/api/v1/envelopes/${id}/cancel`)).status).toBe(204)
  await service.database.owner`
    update audit_reports set wanted_at = sealwright_now() - make_interval(secs => ${secondsAgo}) where envelope_id = ${id}`
  return id
}

/** An envelope that is due for sealing. */
async function signed(): Promise<string> {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  return id
}

const make = () => makeNextReport(service.system, service)

test('a report waits until no seal is due', async () => {
  await signed()
  await ended(0)
  expect(await make()).toBe(false)
  await service.sealEnvelopes()
  expect(await make()).toBe(true)
})

test('a report waits half a minute at most, although seals are due', async () => {
  await signed()
  await ended(20)
  expect(await make()).toBe(false)
  const id = await ended(30)
  expect(await make()).toBe(true)
  const [row] = await service.database.owner`select state from audit_reports where envelope_id = ${id}`
  expect(row).toEqual({ state: 'DONE' })
})

test.each([
  ['runs', "leased_until = sealwright_now() + interval '1 minute'"],
  ['is tried again later', "due_at = sealwright_now() + interval '1 minute'"],
  ['was dead-lettered', "state = 'DEAD'"],
])('a report does not wait for a seal that %s', async (_, change) => {
  const id = await signed()
  await service.database.owner.unsafe(`update seal_jobs set ${change} where envelope_id = '${id}'`)
  await ended(0)
  expect(await make()).toBe(true)
})
