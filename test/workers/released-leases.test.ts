// A stopping worker releases unfinished jobs at once, without counting a loss: an envelope survives any number of orderly stops.
import { leaseDueJob } from '#core/work/job-store.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { inProcessNotifier } from '#core/messaging/in-process-notifier.ts'
import type { SystemCore } from '#core/context.ts'
import { releaseLeases, type HeldLeases } from '#core/work/hold-lease.ts'
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'
import type { MailTransport, SendOutcome } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMail } from '../../workers/mail/start-mail.ts'
import { drainWithDeadline } from '../../workers/runtime/drain-with-deadline.ts'
import { startSeal } from '../../workers/seal/start-seal.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const GRACE_MS = 50
const FAULTS = [new StorageError('unreachable', 'The store is closed.'), new Error('The threads are closed.')]

let service: TestService

beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  const { tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
})
afterEach(async () => {
  await service.database.moveClock(0)
  await service.database.owner`delete from seal_jobs`
  await service.database.owner`delete from mails`
})
afterAll(() => service[Symbol.asyncDispose]())

/** A store that does not answer a read until it is given an error. */
function silentCore(): { core: SystemCore; asked: Promise<void>; fail: (fault: Error) => void } {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<never>()
  const readInto = (): Promise<never> => {
    asked.resolve()
    return answer.promise
  }
  return {
    core: { ...service.system, storage: { ...service.system.storage, readInto } },
    asked: asked.promise,
    fail: answer.reject,
  }
}

/** A transport that has received an email and answers only when the test lets it. */
function silentTransport(): { transport: MailTransport; asked: Promise<void>; answer: (outcome: SendOutcome) => void } {
  const asked = Promise.withResolvers<void>()
  const { promise, resolve: answer } = Promise.withResolvers<SendOutcome>()
  const send = (): Promise<SendOutcome> => {
    asked.resolve()
    return promise
  }
  return {
    transport: { send, lastError: () => undefined, mayTry: () => true, close: async () => {} },
    asked: asked.promise,
    answer,
  }
}

const theSeal = async () =>
  (await service.database.owner`select state, attempts, failures, released, leased_until, last_error from seal_jobs`)[0]

/** A worker starts the envelope and is stopped; returns how to end the abandoned run. */
async function stopInTheMiddle(): Promise<(fault: Error) => Promise<void>> {
  const { core, asked, fail } = silentCore()
  const loop = startSeal(core, inProcessNotifier(), service.sealing, 1)
  await asked
  await drainWithDeadline('seal', loop, service.system.log, GRACE_MS)
  return async (fault) => {
    fail(fault)
    await loop[Symbol.asyncDispose]()
  }
}

test('an envelope survives more orderly stops than it may have losses', async () => {
  for (let stops = 1; stops <= MAX_LOST_ATTEMPTS + 1; stops++) {
    const endRun = await stopInTheMiddle()
    const released = { state: 'WAITING', attempts: stops, failures: 0, released: stops, leasedUntil: null, lastError: null }
    expect(await theSeal()).toEqual(released)
    await endRun(FAULTS[stops % FAULTS.length]!)
    expect(await theSeal()).toEqual(released)
  }
  expect(await sealNextEnvelope(service.system, service.sealing)).toBe(true)
  expect(await theSeal()).toMatchObject({ state: 'DONE' })
})

test.each(FAULTS)('the abandoned run takes nothing from the next one: $message', async (fault) => {
  const endRun = await stopInTheMiddle()
  const lease = await leaseDueJob(service.system.database, SEAL_WORK, 30)
  expect(lease).toMatchObject({ attempts: 2 })
  const before = await theSeal()
  await endRun(fault)
  expect(await theSeal()).toEqual(before)
})

test('a worker that ends without releasing its lease still counts as a loss, after any number of stops', async () => {
  await (
    await stopInTheMiddle()
  )(FAULTS[0]!)
  for (let losses = 0; losses < MAX_LOST_ATTEMPTS; losses++) {
    expect(await leaseDueJob(service.system.database, SEAL_WORK, 30)).toBeDefined()
    await service.database.moveClock((losses + 1) * 60)
  }
  expect(await sealNextEnvelope(service.system, service.sealing)).toBe(true)
  expect(await theSeal()).toMatchObject({
    state: 'DEAD',
    released: 1,
    lastError: expect.stringContaining(`${MAX_LOST_ATTEMPTS} attempts ended without a result`),
  })
})

test('finished jobs hold no lease', async () => {
  const held: HeldLeases = new Set()
  expect(await sealNextEnvelope(service.system, service.sealing, undefined, held)).toBe(true)
  expect(held.size).toBe(0)
  await releaseLeases(held)
  expect(await theSeal()).toMatchObject({ state: 'DONE', released: 0 })
})

test('an email is free for another worker at once, and the abandoned run cannot delay it', async () => {
  await service.database.owner`delete from mails where template <> 'COMPLETED'`
  await sealNextEnvelope(service.system, service.sealing)
  const { transport, asked, answer } = silentTransport()
  const loop = startMail(service.system, inProcessNotifier(), transport)
  await asked
  await drainWithDeadline('mail', loop, service.system.log, GRACE_MS)
  const theMail = () => service.database.owner`select state, attempts, failures, leased_until, last_error from mails`
  const released = [{ state: 'WAITING', attempts: 1, failures: 0, leasedUntil: null, lastError: null }]
  expect(await theMail()).toEqual(released)
  answer({ outcome: 'delayed', error: 'The connection is closed.' })
  await loop[Symbol.asyncDispose]()
  expect(await theMail()).toEqual(released)
  expect(await sendNextMail(service.system, service.mails)).toBe(true)
  expect(await theMail()).toMatchObject([{ state: 'DONE', attempts: 2 }])
})
