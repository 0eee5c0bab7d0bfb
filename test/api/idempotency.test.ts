import { randomUUID } from 'node:crypto'
import { deleteStoredResponses } from '#core/account/idempotency/delete-stored-responses.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { ADA, aDraft } from '../support/builders/envelopes.ts'
import { expectReplay, postOnce } from '../support/clients/keyed-requests.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '200' })
})
afterAll(() => service[Symbol.asyncDispose]())

const DRAFT = { title: 'Garden lease', signers: [ADA] }
const ENVELOPES = '/api/v1/envelopes'

function post(key: string, path: string, body?: unknown, client: ApiClient = service.client): Promise<Answer> {
  return postOnce(client, key, path, body)
}

async function count(table: 'envelopes' | 'idempotency_keys'): Promise<number> {
  const [row] = await service.database.owner`select count(*) as count from ${service.database.owner(table)}`
  return Number(row!['count'])
}

describe('a repeated request with the same key', () => {
  // requirements: decisions/envelopes/Idempotency-Key
  test('creates one envelope and gets the same response', async () => {
    const [key, before] = [randomUUID(), await count('envelopes')]
    const first = await post(key, ENVELOPES, DRAFT)
    expect(first.status).toBe(201)
    expectReplay(await post(key, ENVELOPES, DRAFT), first)
    expect(await count('envelopes')).toBe(before + 1)
  })

  // requirements: decisions/smaller/Idempotency-Key on send
  test('adds one signer, sends once with the same tokens, cancels once without a body', async () => {
    const { id } = await aDraft(service.client)
    for (const [path, body, status] of [
      ['signers', { name: 'Ben', email: 'ben@example.test' }, 201],
      ['send', undefined, 200],
      ['cancel', undefined, 204],
    ] as const) {
      const key = randomUUID()
      const first = await post(key, `${ENVELOPES}/${id}/${path}`, body)
      expect(first.status).toBe(status)
      expectReplay(await post(key, `${ENVELOPES}/${id}/${path}`, body), first)
    }
    const links = await service.database.owner`select 1 from signing_links where envelope_id = ${id}`
    expect(links).toHaveLength(2)
  })

  test('is the same request with another spelling of the path or other white space in the body', async () => {
    const { id } = await aDraft(service.client)
    const key = randomUUID()
    const path = (each: string) => `${ENVELOPES}/${each}/signers`
    const first = await post(key, path(id), { name: 'Ben', email: 'ben@example.test' })
    const again = await service.client.send('POST', path(id.toUpperCase()), {
      body: '{ "name": "Ben",\n"email": "ben@example.test" }',
      headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    })
    expectReplay(again, first)
  })
})

describe('an error', () => {
  test.each([
    [404, 'ENVELOPE_NOT_FOUND', `${ENVELOPES}/${randomUUID()}/send`, undefined],
    [422, 'NO_SIGNERS', ENVELOPES, { title: 'No signers', signers: [] }],
  ])('with %i is kept and replayed to the letter', async (status, code, path, body) => {
    const key = randomUUID()
    const first = await post(key, path, body)
    expect([first.status, first.body.code]).toEqual([status, code])
    expectReplay(await post(key, path, body), first)
  })

  test('with 409 is stored, and rolls back its own transaction', async () => {
    const { id } = await aDraft(service.client)
    const key = randomUUID()
    await service.client.post(`${ENVELOPES}/${id}/send`)
    const first = await post(key, `${ENVELOPES}/${id}/send`)
    expect([first.status, first.body.code]).toEqual([409, 'ENVELOPE_ALREADY_SENT'])
    expectReplay(await post(key, `${ENVELOPES}/${id}/send`), first)
  })

  // requirements: decisions/envelopes/Idempotency-Key
  test('with 400 leaves the key unused', async () => {
    const key = randomUUID()
    expect((await post(key, ENVELOPES, { title: '' })).status).toBe(400)
    const made = await post(key, ENVELOPES, DRAFT)
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  test('with 403 leaves the key unused', async () => {
    const { organisation, client } = await service.anotherOrganisation()
    const { id } = await aDraft(client)
    const grant = async (permissions: string[]) => service.database.owner`
      update credential_grants set permissions = ${permissions} where org_id = ${organisation.orgId}`
    const key = randomUUID()
    await grant(['envelope:read'])
    expect((await post(key, `${ENVELOPES}/${id}/send`, undefined, client)).status).toBe(403)
    await grant(['envelope:read', 'envelope:send'])
    expect((await post(key, `${ENVELOPES}/${id}/send`, undefined, client)).status).toBe(200)
  })

  test('with 429 leaves the key unused and has no effect', async () => {
    const { organisation, client } = await service.anotherOrganisation()
    const fill = (open: number) =>
      service.database.owner`update organisations set open_envelopes = ${open} where id = ${organisation.orgId}`
    const key = randomUUID()
    await fill(200)
    const refused = await post(key, ENVELOPES, DRAFT, client)
    expect([refused.status, refused.body.code]).toEqual([429, 'QUOTA_EXCEEDED'])
    await fill(0)
    const made = await post(key, ENVELOPES, DRAFT, client)
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null])
  })

  test('that is internal leaves the key unused and has no effect', async () => {
    const [key, before] = [randomUUID(), await count('envelopes')]
    const { owner } = service.database
    await owner.unsafe(`
      create function break_down() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
      create trigger broken before insert on idempotency_keys for each row execute function break_down()`)
    expect((await post(key, ENVELOPES, DRAFT)).status).toBe(500)
    await owner.unsafe('drop trigger broken on idempotency_keys')
    expect(await count('envelopes')).toBe(before)
    expect((await post(key, ENVELOPES, DRAFT)).status).toBe(201)
  })
})

describe('the same key', () => {
  // requirements: decisions/envelopes/Idempotency-Key
  test('with another body answers 422 IDEMPOTENCY_KEY_REUSED', async () => {
    const key = randomUUID()
    const first = await post(key, ENVELOPES, DRAFT)
    const other = await post(key, ENVELOPES, { ...DRAFT, title: 'Another' })
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expectReplay(await post(key, ENVELOPES, DRAFT), first)
  })

  test('is independent per operation, path, credential and organisation', async () => {
    const key = randomUUID()
    const [one, two] = [await aDraft(service.client), await aDraft(service.client)]
    const { client } = await service.anotherOrganisation()
    const answers = [
      await post(key, ENVELOPES, DRAFT),
      await post(key, ENVELOPES, DRAFT, client),
      await post(key, ENVELOPES, DRAFT, await anotherCredential()),
      await post(key, `${ENVELOPES}/${one.id}/send`),
      await post(key, `${ENVELOPES}/${two.id}/send`),
      await post(key, `${ENVELOPES}/${two.id}/cancel`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 204])
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(answers.map(() => null))
  })

  // requirements: decisions/envelopes/Idempotency-Key
  test('can be reused after 24 hours by the database clock', async () => {
    const key = randomUUID()
    const first = await post(key, ENVELOPES, DRAFT)
    await service.database.owner`update idempotency_keys set created_at = created_at - interval '86399 seconds'`
    expectReplay(await post(key, ENVELOPES, DRAFT), first)
    await service.database.owner`update idempotency_keys set created_at = created_at - interval '2 seconds'`
    const second = await post(key, ENVELOPES, DRAFT)
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false])
    expectReplay(await post(key, ENVELOPES, DRAFT), second)
  })

  // requirements: decisions/envelopes/Idempotency-Key
  test('during the first request answers 409 IDEMPOTENCY_IN_PROGRESS with Retry-After', async () => {
    const { id } = await aDraft(service.client)
    const key = randomUUID()
    const holder = await service.database.owner.reserve()
    await holder`begin`
    await holder`select 1 from envelopes where id = ${id} for update`
    const running = post(key, `${ENVELOPES}/${id}/send`)
    try {
      await untilWaiting()
      const twin = await post(key, `${ENVELOPES}/${id}/send`)
      expect([twin.status, twin.body.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
      expect(twin.headers.get('retry-after')).toBe('1')
    } finally {
      await holder`rollback`
      holder.release()
    }
    const first = await running
    expect(first.status).toBe(200)
    expectReplay(await post(key, `${ENVELOPES}/${id}/send`), first)
  })
})

describe('the header', () => {
  test.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
    ['a tab', 'a\tb'],
  ])('that is %s answers 400', async (_name, key) => {
    const { status, body } = await post(key, ENVELOPES, DRAFT)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test.each(['k', 'k'.repeat(255), '"8e03978e-40d5-43e8-bc93-6894a57f9324"', '~ !'])('takes %s', async (key) => {
    expect((await post(key, ENVELOPES, DRAFT)).status).toBe(201)
  })

  test('is ignored by a GET', async () => {
    const { status } = await service.client.send('GET', ENVELOPES, { headers: { 'Idempotency-Key': 'k'.repeat(300) } })
    expect(status).toBe(200)
  })

  test('is optional', async () => {
    const before = await count('idempotency_keys')
    expect((await service.client.post(ENVELOPES, DRAFT)).status).toBe(201)
    expect(await count('idempotency_keys')).toBe(before)
  })
})

// requirements: decisions/smaller/Idempotency-Key on send
test('the database contains no plain key, body or token', async () => {
  const { id } = await aDraft(service.client, { title: 'A secret title' })
  const { body } = await post('a-telling-key', `${ENVELOPES}/${id}/send`)
  const rows = await service.database.owner`select key_hash, fingerprint, answer_box from idempotency_keys`
  const stored = Buffer.concat(rows.flatMap((row) => Object.values(row)))
  for (const secret of ['a-telling-key', body.signingTokens[0].token, 'signingTokens'])
    expect(stored.includes(secret)).toBe(false)
})

test('entries older than 24 hours are swept in batches, and nothing else', async () => {
  const { owner, system } = service.database
  await owner`delete from idempotency_keys`
  await post('old', ENVELOPES, DRAFT)
  await owner`update idempotency_keys set created_at = created_at - interval '24 hours'`
  await post('young', ENVELOPES, DRAFT)
  expect(await deleteStoredResponses({ database: system })).toBe(1)
  expect(await deleteStoredResponses({ database: system })).toBe(0)
  expect(await count('idempotency_keys')).toBe(1)
})

/** Another credential of the same organisation, with the same roles. */
async function anotherCredential(): Promise<ApiClient> {
  const { owner } = service.database
  const { orgId, clientSecret } = service.organisation
  const clientId = `swc_${randomUUID()}`
  const id = randomUUID()
  await owner`insert into credentials (org_id, id, client_id, name) values (${orgId}, ${id}, ${clientId}, 'Second')`
  await owner`
    insert into credential_secrets (org_id, credential_id, secret_hash, last_four)
    select org_id, ${id}, secret_hash, last_four from credential_secrets where org_id = ${orgId} limit 1`
  await owner`
    insert into credential_grants (org_id, credential_id, workspace_id, permissions)
    select org_id, ${id}, workspace_id, permissions from credential_grants where org_id = ${orgId} limit 1`
  return apiClient(service.url, { clientId, clientSecret })
}

/** Waits until a request is blocked by a row lock. */
async function untilWaiting(): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    const waiting = await service.database.owner`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event in ('tuple', 'transactionid')`
    if (waiting.length > 0) return
    await new Promise<void>((resolve) => void setTimeout(resolve, 10))
  }
  throw new Error('The request never came to the row.')
}
