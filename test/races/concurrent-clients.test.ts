// Concurrent clients over HTTP, with real drawing and sealing.
import { verifyChain } from '#core/audit/verify-chain.ts'
import { EnvelopeId, OrgId } from '#core/ids.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signer } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const ROUNDS = 10

let service: TestService

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '0' })
})
afterAll(() => service[Symbol.asyncDispose]())

async function eventsOf(id: string): Promise<string[]> {
  const rows = await service.database.owner`
    select type from events where envelope_id = ${id} and released_at is not null order by seq`
  return rows.map((row) => String(row['type']))
}

async function statusOf(id: string): Promise<string> {
  return (await service.client.get(`/api/v1/envelopes/${id}`)).body.status
}

const count = (answers: { status: number }[], status: number) => answers.filter((answer) => answer.status === status).length

describe('at the same moment', () => {
  test('twenty sends: one succeeds, nineteen conflict, each signer has one link', async () => {
    const draft = await aDraft(service.client, { signers: [ADA, BEN] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.client.post(`/api/v1/envelopes/${draft.id}/send`)))
    expect([count(answers, 200), count(answers, 409)]).toEqual([1, 19])
    expect(await service.database.owner`select 1 from signing_links where envelope_id = ${draft.id}`).toHaveLength(2)
    expect(await eventsOf(draft.id)).toEqual(['envelope.sent'])
  })

  test('twenty cancels: one wins, receivers get one event', async () => {
    const { id } = await aSentEnvelope(service.client)
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.client.post(`/api/v1/envelopes/${id}/cancel`)))
    expect([count(answers, 204), count(answers, 409)]).toEqual([1, 19])
    expect(await eventsOf(id)).toEqual(['envelope.sent', 'envelope.cancelled'])
  })

  test('the last two signers: both are signed, the envelope completes once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
      const people = tokens.map(({ token }) => signer(service.url, token))
      await Promise.all(people.map((person) => person.viewOpened()))
      const signing = Promise.all(people.map((person) => person.sign()))
      await sealWhenCompleted(id)
      expect((await signing).map(({ status }) => status)).toEqual([200, 200])
      expect((await eventsOf(id)).toSorted()).toEqual(
        ['envelope.sent', 'signer.viewed', 'signer.viewed', 'signer.signed', 'signer.signed', 'envelope.completed'].toSorted(),
      )
      expect(await statusOf(id)).toBe('COMPLETED')
      expect(await service.database.owner`select 1 from seal_jobs where envelope_id = ${id}`).toHaveLength(1)
    }
  })

  test('an audit chain with many concurrent writers stays one chain', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, {
      signers: Array.from({ length: 8 }, (_, i) => ({ ...ADA, signOrder: i + 1 })),
    })
    await Promise.all(tokens.map(({ token }) => signer(service.url, token).viewOpened()))
    const verdict = await verifyChain(service.api, OrgId.parse(service.organisation.orgId), EnvelopeId.parse(id))
    expect(verdict).toEqual({ rows: 11 })
  })
})

async function sealWhenCompleted(id: string): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const due = await service.database.owner`select 1 from seal_jobs where envelope_id = ${id}`
    if (due.length > 0) return service.sealEnvelopes()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The envelope never completed.')
}
