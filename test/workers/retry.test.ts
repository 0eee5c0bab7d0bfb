// A retried job continues the trace of the original request.
import { retryJobs } from '#core/work/retry-jobs.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { EnvelopeId } from '#core/ids.ts'
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

/** The last hint in the outbox. */
const lastHint = async () => (await service.database.owner`select subject, trace_parent from outbox order by id desc limit 1`)[0]

test('a retried seal continues the trace of the last signature', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await service.database.owner`update seal_jobs set trace_parent = ${traceParent} where envelope_id = ${id}`
  await retryJobs(service.system, SEAL_WORK, { id }, async () => {})
  expect(await lastHint()).toEqual({ subject: 'sealwright.seal.requested', traceParent })
})

test('a retried email continues the trace of its cause', async () => {
  const { id } = await aSentEnvelope(service.client)
  await service.database.owner`update mails set trace_parent = ${traceParent}, last_error = 'no' where envelope_id = ${id}`
  expect(await retryJobs(service.system, MAIL_WORK, { envelopeId: EnvelopeId.parse(id) }, async () => {})).toBeGreaterThan(0)
  expect(await lastHint()).toEqual({ subject: 'sealwright.mail.requested', traceParent })
})
