// The panel's texts: each is stored exactly or rejected with a message, never an internal error.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../support/clients/api-client.ts'
import { SOME_NAUGHTY_STRINGS } from '../../support/hostile/naughty-strings.ts'
import { type PanelClient, panelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '0' })
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Sends every string through `write`; `read` returns the stored value of an accepted one. */
async function keepsOrRefuses(
  write: (text: string) => Promise<Answer>,
  read: (answer: Answer) => unknown,
  refusals: readonly number[] = [400],
): Promise<void> {
  let taken = 0
  for (const text of SOME_NAUGHTY_STRINGS) {
    const answer = await write(text)
    if (answer.status >= 300) {
      expect(refusals, `${JSON.stringify(text)}: ${answer.status}`).toContain(answer.status)
      continue
    }
    taken++
    expect(await read(answer)).toBe(text)
  }
  expect(taken).toBeGreaterThan(0)
}

test('the name of a credential', () =>
  keepsOrRefuses(
    (name) => admin.post('/credentials', { name, workspaces: [] }),
    async ({ body: { id } }) => (await admin.get('/credentials')).body.find((each: { id: string }) => each.id === id).name,
  ))

test('the name of a workspace, identified by its name', () =>
  keepsOrRefuses(
    (name) => admin.post('/workspaces', { name }),
    async ({ body: { id } }) => (await admin.get('/workspaces')).body.find((each: { id: string }) => each.id === id).name,
    [400, 409],
  ))

test('the name of the organisation', () =>
  keepsOrRefuses(
    (name) => admin.patch('/organisation', { name }),
    async () => (await admin.get('/organisation')).body.name,
  ))

test('the name of a person', () => {
  let number = 0
  return keepsOrRefuses(
    (name) => admin.post('/people', { name, role: 'MEMBER', email: `person-${number++}@example.test` }),
    async ({ body: { id } }) => (await admin.get('/people')).body.find((each: { id: string }) => each.id === id).name,
  )
})

test('the address of a person is rejected', async () => {
  for (const email of SOME_NAUGHTY_STRINGS)
    expect([400, 409]).toContain((await admin.post('/people', { name: 'x', role: 'MEMBER', email })).status)
})

test('an address and a password to sign in with, and a token to set one, are wrong credentials', async () => {
  const browser = panelClient(service.url)
  for (const text of SOME_NAUGHTY_STRINGS.filter((_, index) => index % 4 === 0)) {
    expect([400, 401, 429], JSON.stringify(text)).toContain(
      (await browser.post('/session', { email: text, password: text })).status,
    )
    expect([400, 404, 422, 429], JSON.stringify(text)).toContain(
      (await browser.post('/password', { setupToken: text, password: `${text} long enough` })).status,
    )
  }
})

test('an id in a path is not found or rejected', async () => {
  for (const text of SOME_NAUGHTY_STRINGS.filter((_, index) => index % 8 === 0)) {
    const id = encodeURIComponent(text.toWellFormed())
    for (const path of [`/credentials/${id}`, `/people/${id}`, `/workspaces/${id}`])
      expect([400, 404]).toContain((await admin.delete(path)).status)
  }
})
