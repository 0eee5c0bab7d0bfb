// A code of a second factor works once, also for requests at the same time at two replicas; and a sign-in beside a set-up ends without a session that lacks
// the factor.
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appCode, setUpFactor, type TestFactor } from '../support/clients/authenticator.ts'
import { aPerson, panelClient, PASSWORD, type TestPerson } from '../support/clients/panel-client.ts'
import { inOrder } from '../support/invariants/races/arrange.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
let replica: Awaited<ReturnType<typeof secondReplica>>
let person: TestPerson

beforeAll(async () => {
  service = await testService()
  replica = await secondReplica(service.api)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await service.database.moveClock(0)
  await service.database.owner`delete from sign_in_counters`
  person = await aPerson(service.system.database, service.organisation.orgId)
})

/** The session is kept in `browser`; resolves with what the answer says. */
const signingIn = (browser: ReturnType<typeof panelClient>, code?: string) => async () => {
  const { status, body } = await browser.signIn(person.email, PASSWORD, code)
  return body.factorRequired ? 'factor required' : String(status)
}

async function withFactor(): Promise<TestFactor> {
  const browser = panelClient(service.url)
  await browser.signIn(person.email, PASSWORD)
  const factor = await setUpFactor(browser)
  await service.database.moveClock(30)
  return factor
}

const lockPerson = (sql: Sql) => sql`select from people where id = ${person.personId} for update`

test.each<[string, (factor: TestFactor) => string]>([
  ['a code of the app', ({ secret }) => appCode(secret, 30)],
  ['a recovery code', ({ recoveryCodes }) => recoveryCodes[0]!],
])('%s that comes to two replicas at the same time starts one session', async (_what, codeOf) => {
  const code = codeOf(await withFactor())
  const contenders = [service.url, replica.url, service.url].map((url) => signingIn(panelClient(url), code))
  // All three wait for the person's row: each has read the factor that it may use.
  expect((await inOrder(service.database, lockPerson, contenders)).toSorted()).toEqual(['200', '401', '401'])
  const sessions = await service.database.owner`select 1 from sessions where person_id = ${person.personId}`
  expect(sessions).toHaveLength(2)
})

test.each(['the sign-in first', 'the set-up first'])(
  'a sign-in without a code beside the set-up of a factor has no session: %s',
  async (order) => {
    const browser = panelClient(service.url)
    await browser.signIn(person.email, PASSWORD)
    const { body } = await browser.post('/factor', { currentPassword: PASSWORD })
    const beside = panelClient(replica.url)
    const confirm = async () => String((await browser.post('/factor/confirm', { code: appCode(body.secret) })).status)
    const contenders = [signingIn(beside), confirm]
    // Each has passed its check when it waits for the person's row.
    await inOrder(service.database, lockPerson, order === 'the sign-in first' ? contenders : contenders.toReversed())
    expect([(await browser.get('/session')).status, (await beside.get('/session')).status]).toEqual([200, 401])
  },
)
