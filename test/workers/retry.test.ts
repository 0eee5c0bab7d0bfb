// What somebody asks for again is a part of what was asked for first.
import { EnvelopeId } from '#core/ids.ts'
import { retryMails } from '#core/mail/retry-mails.ts'
import { retrySeal } from '#core/seal/retry-seal.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const traceParent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`

/** The last hint that was written. */
const lastHint = async () => (await service.database.owner`select subject, trace_parent from outbox order by id desc limit 1`)[0]

test('a seal that is retried goes on with the trace of its last signature', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await service.database.owner`update seal_intents set trace_parent = ${traceParent} where envelope_id = ${id}`
  await retrySeal(service.system, EnvelopeId.parse(id))
  expect(await lastHint()).toEqual({ subject: 'sealwright.seal.requested', traceParent })
})

test('a mail that is retried goes on with the trace of what has brought it about', async () => {
  const { id } = await aSentEnvelope(service.client)
  await service.database.owner`update mails set trace_parent = ${traceParent}, last_error = 'no' where envelope_id = ${id}`
  expect(await retryMails(service.system, { envelopeId: EnvelopeId.parse(id) }, async () => {})).toBeGreaterThan(0)
  expect(await lastHint()).toEqual({ subject: 'sealwright.mail.requested', traceParent })
})
