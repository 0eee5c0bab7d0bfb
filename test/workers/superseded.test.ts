// A run whose lease has expired finishes after its successor: what the successor counted is counted once.
import type { MailTransport, SendOutcome } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { register } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const LAPSED_SECONDS = 60

let service: TestService

beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  await service.database.moveClock(0)
  await service.database.owner`delete from seal_jobs`
  await service.database.owner`delete from mails`
  register.resetMetrics()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Completed without a sealing worker. */
async function anUnsealedEnvelope(): Promise<string> {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  return id
}

/** A wait during a run: `reached` when it waits, `end` says how it continues. */
function interruption() {
  const reached = Promise.withResolvers<void>()
  const { promise, resolve: end } = Promise.withResolvers<Error | undefined>()
  async function wait(): Promise<void> {
    reached.resolve()
    const fault = await promise
    if (fault) throw fault
  }
  return { reached: reached.promise, end, wait }
}

/** A run is delayed until its lease has expired and its successor has finished; then it continues, or fails. */
async function overtake(
  slow: (wait: () => Promise<void>) => Promise<unknown>,
  successor: () => Promise<unknown>,
  fault: Error | undefined,
): Promise<void> {
  const { reached, end, wait } = interruption()
  const overtaken = slow(wait)
  await reached
  await service.database.moveClock(LAPSED_SECONDS)
  await successor()
  end(fault)
  await overtaken
}

function slowSealing(wait: () => Promise<void>): SealingPool {
  return {
    ...service.sealing,
    async seal(request, key) {
      const sealed = await service.sealing.seal(request, key)
      await wait()
      return sealed
    },
  }
}

function slowTransport(wait: () => Promise<void>): MailTransport {
  const send = async (): Promise<SendOutcome> => {
    await wait()
    return { outcome: 'accepted' }
  }
  return { send, lastError: () => undefined, mayTry: () => true, close: async () => {} }
}

async function outcomesOf(kind: string): Promise<Record<string, number>> {
  const metric = await register.getSingleMetric('sealwright_work_attempts_total')?.get()
  const ours = metric?.values.filter(({ labels }) => labels['kind'] === kind) ?? []
  return Object.fromEntries(ours.map(({ labels, value }) => [String(labels['outcome']), value]))
}

async function delaysOf(kind: 'seal' | 'mail'): Promise<number | undefined> {
  const text = await register.getSingleMetricAsString('sealwright_work_delay_seconds')
  const [, count] = new RegExp(`_count\\{kind="${kind}"\\} (\\d+)`).exec(text) ?? []
  return Number(count ?? 0)
}

/** The log events of an envelope or an email. */
async function logged(id: string): Promise<unknown[]> {
  const lines = (await service.readLog()).split('\n').filter((line) => line.includes(id))
  return lines.map((line) => JSON.parse(line).msg).filter((event) => /^(envelope|job)\./.test(event))
}

const OVERTAKEN = [
  ['ends well', undefined],
  ['fails', new Error('The thread is gone.')],
] as const

test.each(OVERTAKEN)('an envelope is sealed once in metrics and log, also when the superseded run %s', async (_, fault) => {
  const id = await anUnsealedEnvelope()
  await overtake(
    (wait) => sealNextEnvelope(service.system, slowSealing(wait)),
    () => sealNextEnvelope(service.system, service.sealing),
    fault,
  )
  expect(await outcomesOf('seal')).toEqual({ done: 1, superseded: 1 })
  expect(await delaysOf('seal')).toBe(1)
  expect(await logged(id)).toEqual(['envelope.sealed', ...(fault ? ['job.failed'] : []), 'job.superseded'])
})

test.each(OVERTAKEN)(
  'a mail has one delay and was sent once for the metrics, also when the overtaken run %s',
  async (_, fault) => {
    await aSentEnvelope(service.client)
    await overtake(
      (wait) => sendNextMail(service.system, slowTransport(wait)),
      () => sendNextMail(service.system, service.mails),
      fault,
    )
    expect(await outcomesOf('mail')).toEqual({ done: 1, superseded: 1 })
    expect(await delaysOf('mail')).toBe(1)
  },
)

test('an envelope that the successor dead-lettered is counted once', async () => {
  await anUnsealedEnvelope()
  await service.database.owner`update seal_jobs set failures = 2, attempts = 2`
  const fault = new Error('The thread is gone.')
  await overtake(
    (wait) => sealNextEnvelope(service.system, slowSealing(wait)),
    () => sealNextEnvelope(service.system, { ...service.sealing, seal: () => Promise.reject(fault) }),
    fault,
  )
  expect(await outcomesOf('seal')).toEqual({ dead_lettered: 1, superseded: 1 })
})
