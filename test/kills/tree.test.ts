// `npm start` and all that it started, its Postgres too, are killed outright at once while many envelopes and requests are under way, each waiting at a
// point of its own, just before a certain row is written. The next start must find every promise kept.
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processState } from '../../hack/servers/process-state.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { apiClient } from '../support/clients/api-client.ts'
import { ask } from '../support/clients/ask.ts'
import { walk } from '../support/clients/crash-walk.ts'
import { holdWrites, releaseWrites } from '../support/faults/kill-points/held-writes.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { assertMailed } from '../support/invariants/outside-the-database.ts'
import { type RunningService, startService, tryStart } from '../support/servers/running-service.ts'
import { NO_RATES } from '../support/servers/split-service.ts'
import {
  type Credential,
  effectsOf,
  type KeyedRequest,
  newKeyedRequest,
  REQUEST_POINTS,
  sendKeyed,
  type StepName,
  STEPS,
} from './keyed-requests.ts'
import { type KilledWalk, newWalk, WALK_POINTS } from './walks.ts'

const STEP_NAMES = Object.keys(STEPS) as StepName[]
const SETTLED_WITHIN_MS = 60_000
/** Each held request keeps its connection. */
const SETTINGS = { ...NO_RATES, SEALWRIGHT_DATABASE_POOL: '50' }

let dataDir: string
let service: RunningService
let pdf: Buffer
let walks: KilledWalk[]
/** Killed at `REQUEST_POINTS`. */
let unfinished: KeyedRequest[]
/** Killed when all is written: their answers may be lost. */
let unanswered: KeyedRequest[]

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-kills-'))
  pdf = await readFile(pdfFixture('libreoffice.pdf'))
  service = await startService(dataDir, SETTINGS)
  await prepare()
  await killAmid()
  service = await startService(dataDir, SETTINGS)
  await ask(service.databaseUrl, async (sql) => {
    await releaseWrites(sql)
    for (const request of [...unfinished, ...unanswered]) request.effectsWhenKilled = await effectsOf(request, sql)
  })
}, 240_000)
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function prepare(): Promise<void> {
  const database = openDatabase({ url: service.databaseUrl, pool: 4, role: 'sealwright_system' })
  const newCredential = (): Promise<Credential> => createOrganisation({ database }, { name: 'Killed' })
  walks = []
  for (const id of WALK_POINTS.keys()) walks.push(newWalk(await newCredential(), id))
  const newRequest = async (step: StepName) => newKeyedRequest(step, await newCredential(), service.dev.baseUrl, database)
  unfinished = await Promise.all(REQUEST_POINTS.map(([step]) => newRequest(step)))
  unanswered = await Promise.all(STEP_NAMES.map(newRequest))
  await database.end({ timeout: 5 })
}

/** Lets every walk and request come to its point, then kills everything while they wait there. */
async function killAmid(): Promise<void> {
  const held = [
    ...WALK_POINTS.map(([, write, nth], index) => ({ orgId: walks[index]!.credential.orgId, write, nth })),
    ...REQUEST_POINTS.map(([, , write], index) => ({ orgId: unfinished[index]!.credential.orgId, write, nth: 1 })),
  ]
  const holding = await holdWrites(service.databaseUrl, held)
  let isKilled = false
  const isOver = () => isKilled
  // Its mails keep both loops of the role from the mails that others wait for: it comes last.
  const last = WALK_POINTS.findIndex(([, write]) => write.endsWith('on mails'))
  const underWay = [
    ...walks.toSpliced(last, 1).map((each) => untilDone(() => goOn(each), isOver)),
    ...[...unfinished, ...unanswered].map((each) => untilDone(() => mustSend(each), isOver)),
  ]
  await holding.allReached(held[last])
  underWay.push(untilDone(() => goOn(walks[last]!), isOver))
  await holding.allReached()
  await untilWritten(unanswered.length)
  isKilled = true
  await service.killTree()
  await Promise.all(underWay)
  await holding.forget()
}

async function untilWritten(answers: number): Promise<void> {
  while ((await ask(service.databaseUrl, (sql) => sql`select 1 from idempotency_keys`)).length < answers) await delay(20)
}

/** A statement that is held for long is cancelled: what waited for it is sent again. */
async function untilDone(send: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await send()
      return
    } catch {
      await delay(100) // cancelled, or killed
    }
  }
}

async function mustSend(request: KeyedRequest): Promise<void> {
  const { status } = await sendKeyed(request, service.dev.baseUrl, pdf)
  if (status >= 500) throw new Error(`The request was answered with ${status}.`)
}

const goOn = ({ credential, progress }: KilledWalk) => walk({ ...service.dev, ...credential }, pdf, progress)

// requirements: running/starting/kill -9
describe('killed outright when', () => {
  test.each(WALK_POINTS)('%s: the walk goes on to its end, and nothing is there twice', async (...point) => {
    const killed = walks[WALK_POINTS.findIndex((each) => each.join() === point.join())]!
    await goOn(killed)
    await assertInvariants(service.databaseUrl, [killed.progress], SETTLED_WITHIN_MS)
    expect(await assertMailed(service.dev, [killed.progress])).toBeGreaterThanOrEqual(4)
    await assertVerifies(killed)
  })

  test('one file is stored for each sealed document', async () => {
    const sealed = await ask(service.databaseUrl, (sql) => sql`select 1 from sealed_documents`)
    const files = await readdir(path.join(dataDir, 'storage', 'objects'), { recursive: true })
    expect(files.filter((name) => /sealed\/.*\.pdf$/.test(name))).toHaveLength(sealed.length)
    expect(sealed).toHaveLength(WALK_POINTS.length)
  })
})

describe('a request with a key, killed', () => {
  const effects = (request: KeyedRequest) => ask(service.databaseUrl, (sql) => effectsOf(request, sql))
  const retry = (request: KeyedRequest) => sendKeyed(request, service.dev.baseUrl, pdf)

  test.each(REQUEST_POINTS)('%s %s: no effect, and the retry has its own', async (...point) => {
    const request = unfinished[REQUEST_POINTS.findIndex((each) => each.join() === point.join())]!
    expect(request.effectsWhenKilled).toBe(request.effectsBefore)
    const retried = await retry(request)
    expect([retried.status < 300, retried.headers.get('idempotency-replayed')]).toEqual([true, null])
    expect(await effects(request)).toBe(request.effectsBefore + 1)
  })

  test.each(STEP_NAMES)('%s when all is written, before the answer has arrived: the retry gets it', async (name) => {
    const request = unanswered[STEP_NAMES.indexOf(name)]!
    expect(request.effectsWhenKilled).toBe(request.effectsBefore + 1)
    const retried = await retry(request)
    expect([retried.status < 300, retried.headers.get('idempotency-replayed')]).toEqual([true, 'true'])
    expect(await effects(request)).toBe(request.effectsBefore + 1)
  })
})

// requirements: running/starting/stop, second start
test('a second start on the same data folder says so and ends with 1', async () => {
  const { code, output } = await tryStart(dataDir)
  expect(code).toBe(1)
  expect(output).toContain('already running')
})

test('the embedded Postgres killed alone ends the tree with 1 and a sentence, and the next start has everything', async () => {
  const lock = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
  expect(await service.exited).toBe(1)
  expect(service.output()).toContain('The embedded Postgres has exited (signal SIGKILL).')
  service = await startService(dataDir, SETTINGS)
  await assertInvariants(
    service.databaseUrl,
    walks.map(({ progress }) => progress),
    SETTLED_WITHIN_MS,
  )
  for (const each of walks) await assertVerifies(each)
})

// requirements: running/starting/stop, second start
test('SIGTERM stops the whole tree cleanly and leaves no dev.json', async () => {
  const { pid } = service.dev
  expect(await service.stop()).toBe(0)
  expect(await processState(pid)).toBeUndefined()
  await expect(readFile(path.join(dataDir, 'dev.json'))).rejects.toThrow('ENOENT')
})

async function assertVerifies({ credential, progress }: KilledWalk): Promise<void> {
  const client = await apiClient(service.dev.baseUrl, credential)
  const { body: envelope } = await client.get(`/api/v1/envelopes/${progress.envelopeId}`)
  expect(envelope).toMatchObject({ status: 'COMPLETED', documentCount: 1 })
  const { body: documents } = await client.get(`/api/v1/envelopes/${progress.envelopeId}/documents`)
  const sealed = Buffer.from(await (await fetch(documents[0].signedUrl)).arrayBuffer())
  const root = new X509Certificate(await readFile(path.join(dataDir, 'keys', 'signing-root.pem')))
  expect(verifyPdf(sealed, { trust: [root.raw] })).toMatchObject({ valid: true, trusted: true })
}
