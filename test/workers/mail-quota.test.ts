// Emails that a signature causes count towards the quota: the next signer's link is never delayed, copies wait for an hour with quota left,
// and waiting copies leave half of that hour to others.
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiClient } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const HOUR_SECONDS = 3_600
const THREE = [ADA, BEN, { name: 'Cy Signer', email: 'cy@example.test' }]

let service: TestService
let client: ApiClient
let orgId: string

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '4' })
})
beforeEach(async () => {
  await moveToHour(0)
  const other = await service.anotherOrganisation()
  client = other.client
  orgId = other.organisation.orgId
})
afterAll(() => service[Symbol.asyncDispose]())

/** To the middle of the hour, counted from the current one. */
async function moveToHour(hour: number): Promise<void> {
  const now = Date.now() / 1_000
  const start = Math.floor(now / HOUR_SECONDS) * HOUR_SECONDS
  await service.database.moveClock(start - now + (hour + 0.5) * HOUR_SECONDS)
}

/** Of each hour with any usage. */
async function usedByHour(): Promise<number[]> {
  const rows = await service.database.owner`
    select used from quota_windows where org_id = ${orgId} and dimension = 'EMAILS_PER_HOUR' order by starts_at`
  return rows.map(({ used }) => used as number)
}

/** The organisation's sent emails, by type. */
async function sentMails(): Promise<Record<string, number>> {
  await service.sendMails()
  const rows = await service.database.owner`
    select template, count(*)::int as count from mails where org_id = ${orgId} and state = 'DONE' group by template`
  return Object.fromEntries(rows.map(({ template, count }) => [template as string, count as number]))
}

async function sealAll(quotaEmailsPerHour: number): Promise<void> {
  const core = { ...service.system, settings: { ...service.system.settings, quotaEmailsPerHour } }
  while (await sealNextEnvelope(core, service.sealing));
}

/** Signed by all signers, none of whom waits for the seal. */
async function signAll(tokens: readonly { token: string }[]): Promise<void> {
  for (const { token } of tokens) await signAs(service, token)
}

test('a link released by a signature is counted, and sent regardless of usage', async () => {
  await aSentEnvelope(client, { signers: THREE })
  const { tokens } = await aSentEnvelope(client, { signers: [ADA, BEN], sequentialSigning: true })
  expect(await usedByHour()).toEqual([4])
  await signAs(service, tokens[0]!.token)
  expect(await usedByHour()).toEqual([5])
  expect(await sentMails()).toEqual({ SIGNING_LINK: 5 })
  await expect(aSentEnvelope(client)).rejects.toThrow(/"dimension":"EMAILS_PER_HOUR","limit":4,"current":5/)
})

test('copies use the rest of the hour and then the next hours', async () => {
  const first = await aSentEnvelope(client, { signers: THREE })
  await signAll(first.tokens)
  await sealAll(4)
  expect(await usedByHour()).toEqual([4, 2])
  expect(await sentMails()).toEqual({ SIGNING_LINK: 3, COMPLETED: 1 })
  await moveToHour(1)
  expect(await sentMails()).toEqual({ SIGNING_LINK: 3, COMPLETED: 3 })
})

test("no later hour takes copies for more than half of the quota, and a later envelope's copies follow", async () => {
  const first = await aSentEnvelope(client, { signers: THREE })
  const second = await aSentEnvelope(client)
  await signAll(first.tokens)
  await sealAll(4)
  await signAll(second.tokens)
  await sealAll(4)
  expect(await usedByHour()).toEqual([4, 2, 2])
  for (const [hour, copies] of [undefined, 2, 4].entries()) {
    await moveToHour(hour)
    expect((await sentMails())['COMPLETED']).toBe(copies)
  }
})

test('a disabled quota counts and delays nothing', async () => {
  const { tokens } = await aSentEnvelope(client, { signers: THREE })
  await signAll(tokens)
  await sealAll(0)
  expect(await usedByHour()).toEqual([6])
  expect(await sentMails()).toEqual({ SIGNING_LINK: 3, COMPLETED: 3 })
})
