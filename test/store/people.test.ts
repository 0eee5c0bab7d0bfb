import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import { newId, OrgId, PersonId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { insertPersonMail } from '#core/mail/person-mail-store.ts'
import { issueSetupLink } from '#core/account/person/issue-setup-link.ts'
import { findSetupLinkOwner } from '#core/account/person/setup-link-store.ts'
import { findOidcOwner, findPersonOwner, insertPerson } from '#core/account/person/store.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { deleteExpiredSignIns } from '#core/account/session/delete-expired-sign-ins.ts'
import { findSessionOwner, insertSession } from '#core/account/session/store.ts'
import { lockCounter, updateCounter } from '#core/account/session/counter-store.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anOrganisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())
afterEach(() => database.moveClock(0))

const HOUR = 3_600
const origin = { address: '127.0.0.1', userAgent: null }

/** An organisation with a person who has a session, a link, an email and an activity. */
async function aBusyPerson() {
  const { orgId } = await anOrganisation(database.system)
  const personId = newId(PersonId)
  const email = `${personId}@example.test`
  const sessionHash = hashToken(newToken())
  await insertPerson(database.system, orgId, { id: personId, email, name: 'Kim', role: 'ADMIN', passwordHash: null })
  await insertSession(database.system, orgId, { personId, tokenHash: sessionHash })
  const setupToken = await issueSetupLink(database.system, orgId, personId)
  await insertPersonMail(database.system, orgId, {
    id: newId(OrgId),
    personId,
    template: 'PANEL_SETUP',
    secretBox: Buffer.from('box'),
  })
  await recordAdminEvent(database.system, { orgId, personId, email, origin }, { action: 'password.set', detail: {} })
  return { orgId, personId, email, sessionHash, setupToken }
}

const TABLES = ['people', 'sessions', 'setup_links', 'mails', 'admin_events'] as const

describe.each(TABLES)('of %s', (table) => {
  const count = async (sql: Sql) => (await sql.unsafe(`select org_id from ${table}`)).length

  test('the API sees only those of its organisation', async () => {
    const { orgId } = await aBusyPerson()
    await aBusyPerson()
    expect(await inOrganisation(database.api, orgId, count)).toBe(1)
    expect(await count(database.api)).toBe(0)
    expect(await count(database.system)).toBeGreaterThan(1)
  })
})

describe('the activity', () => {
  test.each(['update admin_events set email = $$x$$', 'delete from admin_events', 'truncate admin_events'])(
    'refuses: %s',
    async (change) => {
      await aBusyPerson()
      await expect(database.system.unsafe(change)).rejects.toThrow('permission denied')
      await expect(database.owner.unsafe(change)).rejects.toThrow('only grows')
    },
  )

  test('outlives the person', async () => {
    const { orgId, personId, email } = await aBusyPerson()
    await database.system`delete from people where org_id = ${orgId} and id = ${personId}`
    const rows = await database.system`select email from admin_events where org_id = ${orgId}`
    expect(rows).toMatchObject([{ email }])
  })
})

describe('before the organisation is known', () => {
  test('a token and an address find their owner, for the API as well', async () => {
    const { orgId, personId, email, sessionHash, setupToken } = await aBusyPerson()
    expect(await findSessionOwner(database.api, sessionHash)).toBe(orgId)
    expect(await findSetupLinkOwner(database.api, hashToken(setupToken))).toBe(orgId)
    expect(await findPersonOwner(database.api, email.toUpperCase())).toEqual({ orgId, personId })
  })

  test('anything else finds nothing', async () => {
    expect(await findSessionOwner(database.api, hashToken('x'))).toBe(undefined)
    expect(await findSetupLinkOwner(database.api, hashToken('x'))).toBe(undefined)
    expect(await findPersonOwner(database.api, '%')).toBe(undefined)
    expect(await findOidcOwner(database.api, { issuer: 'https://id.example.test', subject: 'x' })).toBe(undefined)
  })
})

describe('a mail', () => {
  test('is for a signer about an envelope or for a person, never for both or neither', async () => {
    const { orgId, personId } = await aBusyPerson()
    const insert = (template: string, person: PersonId | null) => database.system`
      insert into mails (org_id, id, person_id, template, state) values (${orgId}, ${newId(OrgId)}, ${person}, ${template}, 'WAITING')`
    await expect(insert('PANEL_SETUP', null)).rejects.toThrow('mails_receiver')
    await expect(insert('PASSWORD_CHANGED', null)).rejects.toThrow('mails_receiver')
    await expect(insert('SIGNING_LINK', personId)).rejects.toThrow('mails_receiver')
    await expect(insert('SIGNING_LINK', null)).rejects.toThrow('mails_receiver')
  })
})

describe('the sweep', () => {
  /** A counter that failed now. */
  async function aFailure() {
    const key = { kind: 'ACCOUNT', subject: hashToken(newToken()) } as const
    await lockCounter(database.system, key)
    await updateCounter(database.system, key, { failures: 6, pauseSeconds: 10 })
    return key.subject
  }
  const left = async (table: string) => (await database.owner.unsafe(`select 1 from ${table}`)).length

  test('deletes expired rows, and leaves others', async () => {
    for (const table of ['sessions', 'setup_links', 'sign_in_counters']) await database.owner.unsafe(`delete from ${table}`)
    await aBusyPerson()
    await aFailure()
    await database.moveClock(HOUR - 10)
    expect(await deleteExpiredSignIns({ database: database.system })).toBe(0)
    await database.moveClock(HOUR + 1)
    expect([await deleteExpiredSignIns({ database: database.system }), await left('sessions')]).toEqual([1, 0])
    await database.moveClock(25 * HOUR)
    expect([await deleteExpiredSignIns({ database: database.system }), await left('sign_in_counters')]).toEqual([1, 0])
    await database.moveClock(72 * HOUR + 1)
    expect([await deleteExpiredSignIns({ database: database.system }), await left('setup_links')]).toEqual([1, 0])
  })

  test('deletes a session that has lasted too long, however recently it was seen', async () => {
    const { orgId } = await aBusyPerson()
    await database.moveClock(12 * HOUR + 1)
    await database.owner`update sessions set seen_at = sealwright_now() where org_id = ${orgId}`
    expect(await deleteExpiredSignIns({ database: database.system })).toBe(1)
  })
})
