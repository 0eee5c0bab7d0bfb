import { randomBytes } from 'node:crypto'
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { listAuditEvents } from '#core/audit/store.ts'
import { verifyChain } from '#core/audit/verify-chain.ts'
import type { Caller } from '#core/context.ts'
import { newCredential } from '#core/account/credential/new-credential.ts'
import { checkLabels, type Labels } from '#core/envelope/labels.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { findReadableEnvelope, lockEnvelope } from '#core/envelope/store.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraftRow, anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const keys = deriveInstallationKeys(randomBytes(32))

let database: TestDatabase
let organisation: Organisation
let reader: Caller

beforeAll(async () => {
  database = await testDatabase()
  organisation = await anOrganisation(database.system)
  const workspaces = [{ workspaceId: organisation.workspaceId, permissions: [] }]
  const { id: credentialId, clientId } = await newCredential(database.system, organisation.orgId, { name: 'reader', workspaces })
  const origin = { address: null, userAgent: null }
  reader = { kind: 'credential', orgId: organisation.orgId, credentialId, clientId, origin }
})
afterAll(() => database[Symbol.asyncDispose]())

/** Writes an envelope with these labels and reads them as its organisation. */
async function kept(labels: Labels): Promise<Labels | undefined> {
  const id = await aDraftRow(database.system, organisation, { labels })
  return (await findReadableEnvelope(database.system, reader, id))?.labels
}

describe('labels', () => {
  test.each<Labels>([
    {},
    { cost_center: '42', costCenter: '43', COST_CENTER: '44', 'cost-center': '45' },
    { a__b: '1', 'a/b.c_d-e': '2', 9: '3', toString: '4' },
    { text: ' white space \u00a0 ', quote: `"'\\{}[]`, json: '{"a_b":1}', emoji: '🖋', joined: '👩‍👧', empty: '' },
  ])('are read as they were written: %j', async (labels) => {
    expect(await kept(labels)).toEqual(labels)
  })

  test('are read as written for every value that the rules allow', async () => {
    const key = fc
      .stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._/-]{0,10}[A-Za-z0-9])?$/)
      .filter((text) => text !== 'constructor' && text !== 'prototype')
    const value = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text.normalize('NFC')))
    const labels = fc.array(fc.tuple(key, value), { maxLength: 10 }).map(checkLabels)
    await fc.assert(
      fc.asyncProperty(labels, async (given) => {
        expect(await kept(given)).toEqual(given)
      }),
      { numRuns: runs(15) },
    )
  })
})

describe('the detail of an audit row', () => {
  test('is read with every key unchanged, so that the chain stays valid', async () => {
    const { orgId } = organisation
    const id = await aDraftRow(database.system, organisation)
    const detail = { snake_key: 1, camelKey: 'ä', nested: { deep_key: [true, null, 1.5, 1e21] } }
    await inTransaction(database.system, async (sql) => {
      await lockEnvelope(sql, orgId, id)
      await recordAudit(sql, keys, orgId, id, { ...SYSTEM, action: 'envelope.created', detail })
    })
    expect((await listAuditEvents(database.system, orgId, id)).map((row) => row.detail)).toEqual([detail])
    expect(await verifyChain({ database: database.api, keys }, orgId, id)).toEqual({ rows: 1 })
  })
})
