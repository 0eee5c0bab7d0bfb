// The API is killed while it works on requests with Idempotency-Keys, each at another point. The retry must find no effect or its
// response, never half of it. A point is a database trigger that waits for a lock of the test: the product has no hook for it.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ApiClient, apiClient, clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aDraft } from '../support/builders/envelopes.ts'
import { postOnce, uploadOnce } from '../support/clients/keyed-requests.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const HOLD = 4_243
/** The issuer of its tokens, wherever it listens. */
const PUBLIC_URL = 'http://sealwright.test'
const INSTALLATION_KEY = randomBytes(32).toString('base64')

interface Step {
  /** Creates what the request needs; returns its path. */
  path: (client: ApiClient) => Promise<string>
  ask: (client: ApiClient, path: string, key: string) => Promise<Answer>
  /** The visible effects on the organisation. */
  effects: (orgId: string) => PromiseLike<readonly unknown[]>
}

const STEPS: Record<'upload' | 'attach' | 'create' | 'send', Step> = {
  upload: {
    path: async () => '/api/v1/documents',
    ask: (client, target, key) => uploadOnce(client, key, target, pdf),
    effects: (orgId) => database.owner`select 1 from documents where org_id = ${orgId} and stored_at is not null`,
  },
  attach: {
    path: async (client) => `/api/v1/envelopes/${(await aDraft(client)).id}/documents`,
    ask: (client, target, key) => uploadOnce(client, key, target, pdf),
    effects: (orgId) => database.owner`select 1 from documents where org_id = ${orgId} and envelope_id is not null`,
  },
  create: {
    path: async () => '/api/v1/envelopes',
    ask: (client, target, key) => postOnce(client, key, target, { title: 'Killed', signers: [ADA] }),
    effects: (orgId) => database.owner`select 1 from envelopes where org_id = ${orgId}`,
  },
  send: {
    path: async (client) => `/api/v1/envelopes/${(await aDraft(client)).id}/send`,
    ask: (client, target, key) => postOnce(client, key, target),
    effects: (orgId) => database.owner`select 1 from signing_links where org_id = ${orgId}`,
  },
}

const ANSWER = 'insert on idempotency_keys'
const POINTS: [step: keyof typeof STEPS, when: string, write: string][] = [
  ['upload', 'before its row is written', 'insert on documents'],
  ['upload', 'when its bytes are stored', 'update of stored_at on documents'],
  ['upload', 'when its effect is written and its answer is not', ANSWER],
  ['attach', 'when its bytes are stored', 'update of stored_at on documents'],
  ['attach', 'when it counts and is not attached', 'update of envelope_id on documents'],
  ['attach', 'when its effect is written and its answer is not', ANSWER],
  ['create', 'before its effect', 'insert on envelopes'],
  ['create', 'when its effect is written and its answer is not', ANSWER],
  ['send', 'in the middle of its effect', 'insert on outbox'],
  ['send', 'when its effect is written and its answer is not', ANSWER],
]

/** A request of a new organisation, running when the API is killed. */
interface Request {
  step: Step
  orgId: string
  token: string
  path: string
  key: string
  effectsBefore: number
  effectsWhenKilled: number
}

let database: TestDatabase
let folder: string
let url: string
let api: ChildProcess
let pdf: Buffer
let unfinished: Request[]
let unanswered: Request[]

beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-killed-'))
  pdf = await readFile(pdfFixture('reportlab.pdf'))
  await start()
  unfinished = await Promise.all(POINTS.map(([step]) => newRequest(step)))
  unanswered = await Promise.all(Object.values(STEPS).map((step) => newRequest(step)))
  await killAmid()
  await start()
})
afterAll(async () => {
  await kill()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

describe('killed', () => {
  test.each(POINTS)('%s %s: no effect, and the retry takes effect', async (...point) => {
    const request = unfinished[POINTS.findIndex((each) => each.join() === point.join())]!
    expect(request.effectsWhenKilled).toBe(request.effectsBefore)
    const retried = await ask(request)
    expect([retried.status < 300, retried.headers.get('idempotency-replayed')]).toEqual([true, null])
    expect(await effectsOf(request)).toBe(request.effectsBefore + 1)
  })

  test.each(Object.keys(STEPS))('%s after the commit, before the response has arrived: the retry gets it', async (name) => {
    const request = unanswered[Object.keys(STEPS).indexOf(name)]!
    expect(request.effectsWhenKilled).toBe(request.effectsBefore + 1)
    const retried = await ask(request)
    expect([retried.status < 300, retried.headers.get('idempotency-replayed')]).toEqual([true, 'true'])
    expect(await effectsOf(request)).toBe(request.effectsBefore + 1)
  })
})

const ask = ({ step, token, path: target, key }: Request) => step.ask(clientWithToken(url, token), target, key)
const effectsOf = async ({ step, orgId }: Request) => (await step.effects(orgId)).length

async function newRequest(nameOrStep: keyof typeof STEPS | Step): Promise<Request> {
  const step = typeof nameOrStep === 'string' ? STEPS[nameOrStep] : nameOrStep
  const organisation = await createOrganisation({ database: database.system }, { name: 'Killed' })
  const client = await apiClient(url, organisation)
  const { orgId } = organisation
  const request = {
    step,
    orgId,
    token: client.token,
    path: await step.path(client),
    key: randomUUID(),
    effectsBefore: 0,
    effectsWhenKilled: 0,
  }
  return { ...request, effectsBefore: await effectsOf(request) }
}

/** Waits until every request is at its point, kills the API, and waits until the database has detected that. */
async function killAmid(): Promise<void> {
  const holder = await database.owner.reserve()
  await holder`select pg_advisory_lock(${HOLD})`
  await database.owner.unsafe(`
    create function hold() returns trigger language plpgsql security definer as
      $$ begin perform pg_advisory_xact_lock_shared(${HOLD}); return new; end $$;`)
  for (const [index, [, , write]] of POINTS.entries())
    await database.owner.unsafe(`
      create trigger a_hold_${index} before ${write} for each row
        when (new.org_id = '${unfinished[index]!.orgId}') execute function hold()`)
  const asked = Promise.allSettled([...unfinished, ...unanswered].map(ask))
  await until(
    () => database.owner`select 1 from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`,
    POINTS.length,
  )
  await until(() => database.owner`select 1 from idempotency_keys`, unanswered.length)
  await kill()
  await holder`select pg_advisory_unlock(${HOLD})`
  holder.release()
  await asked
  await until(
    () => database.owner`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'sealwright_api' and state <> 'idle'`,
    0,
  )
  for (const request of [...unfinished, ...unanswered]) request.effectsWhenKilled = await effectsOf(request)
  await database.owner.unsafe('drop function hold cascade')
}

async function until(rows: () => PromiseLike<readonly unknown[]>, wanted: number): Promise<void> {
  for (let tries = 0; (await rows()).length !== wanted; tries++) {
    if (tries > 2_000) throw new Error('The requests never came to their points.')
    await delay(10)
  }
}

async function start(): Promise<void> {
  const settings = { databaseUrl: database.url, folder, installationKey: INSTALLATION_KEY, publicUrl: PUBLIC_URL }
  api = spawn(process.execPath, [path.resolve('test/support/servers/killable-api.ts')], {
    env: { ...process.env, KILLABLE_API: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said]: string[] = await once(api.stdout!.setEncoding('utf8'), 'data')
  url = said!.trim()
}

async function kill(): Promise<void> {
  const gone = once(api, 'exit')
  api.kill('SIGKILL')
  await gone
}
