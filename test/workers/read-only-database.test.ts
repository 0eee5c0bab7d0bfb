// A read-only database, as after a failover: a process that needs writes is not ready, one that can read reports that it is degraded.
import { runChecks, optional, required } from '#core/platform/process/health-checks.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { readOnlySwitch } from '../support/servers/read-only-database.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

// requirements: running/starting/health
test('workers are not ready, the API serves reads', async () => {
  const { id } = await aSentEnvelope(service.client)
  await using readOnly = readOnlySwitch(service.database.url)
  await readOnly.set(true)
  const error = 'SEALWRIGHT_DATABASE_URL: the database is read-only (default_transaction_read_only is on).'
  await expect
    .poll(() => runChecks(coreChecks(service.system, { changes: required })))
    .toEqual({
      ok: false,
      status: 'unavailable',
      checks: { database: { ok: true }, changes: { ok: false, error }, storage: { ok: true } },
    })
  expect(await runChecks(coreChecks(service.api, { changes: optional }))).toMatchObject({ ok: true, status: 'degraded' })
  const probe = await fetch(`${service.url}/readyz`)
  expect([probe.status, await probe.json()]).toEqual([
    200,
    {
      status: 'degraded',
      checks: { database: { ok: true }, changes: { ok: false }, storage: { ok: true }, uploads: { ok: true } },
    },
  ])
  expect((await service.client.get(`/api/v1/envelopes/${id}`)).status).toBe(200)
  expect((await service.client.post(`/api/v1/envelopes/${id}/cancel`, {})).status).toBe(503)
  await readOnly.set(false)
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: 'ok' })
})
