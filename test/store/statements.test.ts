// The statements of an organisation's operations, by table, and which of them share a round trip. Both are most of the cost of an
// envelope, and neither may grow unnoticed. More signers and documents need no more statements.
import { createHash } from 'node:crypto'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Core } from '#core/context.ts'
import { attachNewDocument } from '#core/envelope/document/attach-new-document.ts'
import { storeUpload } from '#core/envelope/document/store-upload.ts'
import { uploadDocument } from '#core/envelope/document/upload-document.ts'
import { addSigner } from '#core/envelope/add-signer.ts'
import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { createEnvelope } from '#core/envelope/create-envelope.ts'
import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, BEN } from '../support/builders/envelopes.ts'
import { raceWorld, type World } from '../support/invariants/races/world.ts'
import { roundTripsOf } from '../support/judges/round-trips.ts'
import { anUploadRow } from '../support/builders/rows.ts'

let world: World
/** One connection, which has prepared every statement after the first run: before, each takes another round trip. */
let database: Database
let core: Core

beforeAll(async () => {
  world = await raceWorld()
  database = openDatabase({ url: world.service.database.url, pool: 1, role: 'sealwright_api' })
  core = { ...world.core, database }
})
afterAll(async () => {
  await database.end()
  await world[Symbol.asyncDispose]()
})

/** The round trips of the second run. */
async function tripsOf(operation: () => Promise<unknown>): Promise<string[][]> {
  await operation()
  return roundTripsOf(database, operation)
}

const THREE = [ADA, BEN, { ...ADA, name: 'Cy' }]
const someUploads = async () => [
  await anUploadRow(world.service.database.system, world.organisation),
  await anUploadRow(world.service.database.system, world.organisation),
]

async function withFile(use: (file: Parameters<typeof storeUpload>[2]) => Promise<unknown>): Promise<void> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-statements-'))
  const file = { path: path.join(folder.path, 'lease.pdf'), filename: 'lease.pdf', sizeBytes: 8 }
  await writeFile(file.path, '%PDF-1.7')
  await use({ ...file, sha256: createHash('sha256').update('%PDF-1.7').digest() })
}

test('an upload', async () => {
  const trips = await tripsOf(() =>
    withFile(async (file) => uploadDocument(core, world.caller, await storeUpload(core, world.caller, file))),
  )
  expect(trips).toEqual([
    ['begin', 'insert into documents'],
    ['from take_storage', 'commit'],
    ['begin', 'update documents', 'commit'],
  ])
})

test('a new envelope', async () => {
  const plain = { title: 'Lease', signers: THREE, otpRequired: false, sequentialSigning: false, labels: [] }
  const uploads = [await someUploads(), await someUploads()]
  const trips = await tripsOf(() => createEnvelope(core, world.caller, { ...plain, documentIds: uploads.pop() ?? [] }))
  expect(trips).toEqual([
    ['begin', 'from workspaces', 'from documents'],
    [
      'insert into envelopes',
      'insert into signers',
      'update documents',
      'insert into audit_events',
      'from documents', // the whole envelope
    ],
    ['from take_open_envelope', 'commit'],
  ])
})

test('a list and its total', async () => {
  const filter = { statuses: [], labels: { pairs: [['team', 'north']] as const, keys: [] } }
  const trips = await tripsOf(() => listEnvelopes(core, world.caller, filter, { page: 0, size: 20 }))
  expect(trips).toEqual([['begin', 'from documents', 'from credential_grants', 'commit']])
})

test('sending', async () => {
  const trips = await tripsOf(async () => sendEnvelope(core, world.caller, await world.draft({ signers: THREE })))
  expect(trips).toEqual([
    ['begin', 'from envelopes', 'from signers', 'from documents', 'join audit_heads'],
    [
      'update envelopes',
      'insert into signing_links',
      'insert into mails',
      'insert into events',
      'insert into outbox',
      'update signers',
      'insert into audit_events',
    ],
    ['insert into quota_windows', 'commit'], // pipelined with the commit: the whole organisation updates these rows
  ])
})

test('one more signer', async () => {
  const trips = await tripsOf(async () => addSigner(core, world.caller, await world.draft(), BEN))
  expect(trips).toEqual([
    ['begin', 'from envelopes', 'from signers', 'join audit_heads'],
    ['insert into signers', 'update envelopes', 'insert into audit_events'],
    ['commit'],
  ])
})

test('one more document', async () => {
  const attach = async () => {
    const id = await anUploadRow(world.service.database.system, world.organisation, { stored: false })
    await attachNewDocument(core, world.caller, await world.draft(), { id, storageKey: '', warnings: [], normalisation: null })
  }
  expect(await tripsOf(attach)).toEqual([
    ['begin', 'from envelopes', 'from documents', 'join audit_heads'],
    ['update documents', 'update documents', 'update envelopes', 'insert into audit_events'],
    ['commit'],
  ])
})

test('cancelling', async () => {
  const trips = await tripsOf(async () => cancelEnvelope(core, world.caller, (await world.sent({ signers: THREE })).id))
  expect(trips).toEqual([
    ['begin', 'from envelopes'],
    [
      'join audit_heads',
      'update envelopes',
      'update signing_links',
      'update mails',
      'update signers',
      'insert into audit_reports',
      'insert into events',
      'insert into outbox',
    ],
    ['insert into audit_events'],
    ['update organisations', 'commit'],
  ])
})
