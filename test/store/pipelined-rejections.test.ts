// Statements are pipelined, also with the check that rejects them. Under an Idempotency-Key the transaction continues after a rejection, so none of
// the rejected statements may take effect later, even when their results arrive one by one.
import type { Core } from '#core/context.ts'
import { addSigner } from '#core/envelope/add-signer.ts'
import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { createEnvelope } from '#core/envelope/create-envelope.ts'
import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import { storeUpload } from '#core/envelope/document/store-upload.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { inNestedTransaction } from '#core/platform/postgres/nested-transaction.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSplitAnswersProxy, type SplitAnswersProxy } from '../support/faults/split-answers-proxy.ts'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'
import { anUploadRow } from '../support/builders/rows.ts'

let world: World
let proxy: SplitAnswersProxy
let database: Database

beforeAll(async () => {
  world = await raceWorld()
  proxy = await startSplitAnswersProxy(world.service.database.url)
  database = openDatabase({ url: proxy.url, pool: 1, role: 'sealwright_api' })
})
afterAll(async () => {
  await database.end()
  await proxy[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const TABLES = [
  'organisations',
  'quota_windows',
  'envelopes',
  'documents',
  'signers',
  'signing_links',
  'mails',
  'outbox',
  'audit_events',
  'audit_heads',
]

async function everyRow(): Promise<Record<string, string>> {
  const { owner } = world.service.database
  const rows = TABLES.map(async (table) => [table, JSON.stringify(await owner`select * from ${owner(table)} order by 1, 2`)])
  return Object.fromEntries(await Promise.all(rows))
}

/** Runs the operation in a transaction that continues and is committed; returns its error. */
async function refusalOf(
  operation: (core: Core) => Promise<unknown>,
  settings: Partial<Core['settings']> = {},
): Promise<unknown> {
  let refusal: unknown
  await inNestedTransaction(database, world.caller.orgId, async (sql, joined) => {
    refusal = await operation({ ...world.core, database: joined, settings: { ...world.core.settings, ...settings } }).catch(
      (error: unknown) => error,
    )
    // Every earlier statement has finished when this one returns.
    await sql`select 1`
  })
  return refusal
}

const PLAIN = { title: 'Lease', signers: [ADA, BEN], otpRequired: false, sequentialSigning: false, labels: [] }

describe('a transaction that continues keeps nothing', () => {
  test('of an operation that a quota rejects', async () => {
    const [draft, upload] = [await world.draft(), await anUploadRow(world.service.database.system, world.organisation)]
    await world.sent()
    const before = await everyRow()
    const quotas = { quotaEnvelopesSentPerDay: 1, quotaOpenEnvelopes: 1, quotaStorageBytes: 1 }
    const refusals = [
      await refusalOf((core) => sendEnvelope(core, world.caller, draft), quotas),
      await refusalOf((core) => createEnvelope(core, world.caller, { ...PLAIN, documentIds: [upload] }), quotas),
      await refusalOf((core) => {
        const file = { path: '', filename: 'lease.pdf', sizeBytes: 8, sha256: Buffer.alloc(32) }
        return storeUpload(core, world.caller, file)
      }, quotas),
    ]
    expect(refusals).toMatchObject(
      ['ENVELOPES_SENT_PER_DAY', 'OPEN_ENVELOPES', 'STORAGE_BYTES'].map((dimension) => ({ quota: { dimension } })),
    )
    expect(await everyRow()).toEqual(before)
  })

  test('of an operation that the status of the envelope rejects', async () => {
    const [draft, { id: sent }] = [await world.draft(), await world.sent()]
    const before = await everyRow()
    const refusals = [
      await refusalOf((core) => sendEnvelope(core, world.caller, sent)),
      await refusalOf((core) => cancelEnvelope(core, world.caller, draft)),
      await refusalOf((core) => addSigner(core, world.caller, draft, { ...BEN, signOrder: 1 })),
      await refusalOf((core) => addSigner(core, world.caller, sent, BEN)),
      await refusalOf((core) => deleteDraft(core, world.caller, sent)),
    ]
    const codes = [
      'ENVELOPE_ALREADY_SENT',
      'ENVELOPE_NOT_CANCELLABLE',
      'DUPLICATE_SIGN_ORDER',
      'ENVELOPE_NOT_DRAFT',
      'ENVELOPE_NOT_DRAFT',
    ]
    expect(refusals).toMatchObject(codes.map((code) => ({ code })))
    expect(await everyRow()).toEqual(before)
  })

  test('of an operation that the role of the caller rejects', async () => {
    const [draft, { id: sent }] = [await world.draft(), await world.sent()]
    const { owner } = world.service.database
    await owner`update credential_grants set permissions = '{envelope:read}' where org_id = ${world.caller.orgId}`
    const before = await everyRow()
    const refusals = [
      await refusalOf((core) => sendEnvelope(core, world.caller, draft)),
      await refusalOf((core) => cancelEnvelope(core, world.caller, sent)),
      await refusalOf((core) => addSigner(core, world.caller, draft, BEN)),
      await refusalOf((core) => createEnvelope(core, world.caller, { ...PLAIN, documentIds: [] })),
    ]
    const permissions = ['envelope:send', 'envelope:cancel', 'envelope:create']
    expect(refusals).toMatchObject([...permissions.map((permission) => ({ permission })), { code: 'WORKSPACE_NOT_FOUND' }])
    expect(await everyRow()).toEqual(before)
  })
})
