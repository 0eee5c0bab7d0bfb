// What somebody asks for again is a part of what was asked for first.
import { EnvelopeId } from '#core/ids.ts'
import { retrySeal } from '#core/seal/retry-seal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/envelopes.ts'
import { signAs } from '../support/signed-envelope.ts'
import { testService, type TestService } from '../support/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

test('a seal that is retried goes on with the trace of its last signature', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  const traceParent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
  await service.database.owner`update seal_intents set trace_parent = ${traceParent} where envelope_id = ${id}`
  await retrySeal(service.system, EnvelopeId.parse(id))
  const [row] = await service.database.owner`select subject, trace_parent from outbox order by id desc limit 1`
  expect(row).toEqual({ subject: 'sealwright.seal.requested', traceParent })
})
