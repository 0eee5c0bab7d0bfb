// Operations on an envelope read only its own rows, however many others the organisation has: a lookup by organisation alone is fast in
// small tests and slow in production.
import { createHash } from 'node:crypto'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getAuditTrail } from '#core/audit-report/get-audit-trail.ts'
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import { getSignedCopy } from '#core/envelope/ceremony/get-signed-copy.ts'
import { openLink } from '#core/envelope/ceremony/open-link.ts'
import { recordViewClosed, recordViewOpened } from '#core/envelope/ceremony/record-view.ts'
import { requestOtp } from '#core/envelope/ceremony/request-otp.ts'
import { signEnvelope } from '#core/envelope/ceremony/sign-envelope.ts'
import type { Core, CredentialCaller, SystemCore } from '#core/context.ts'
import { listEnvelopeDocuments } from '#core/envelope/document/list-envelope-documents.ts'
import { storeUpload } from '#core/envelope/document/store-upload.ts'
import { uploadDocument } from '#core/envelope/document/upload-document.ts'
import { addSigner } from '#core/envelope/add-signer.ts'
import { cancelEnvelope } from '#core/envelope/cancel-envelope.ts'
import { createEnvelope, type EnvelopeInput } from '#core/envelope/create-envelope.ts'
import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { sendEnvelope } from '#core/envelope/send-envelope.ts'
import { CredentialId, type DocumentId, type EnvelopeId, newId, OrgId } from '#core/ids.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { relayOutbox } from '#core/messaging/relay-outbox.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { archiveEnvelopes } from '#core/envelope/retention/archive-envelopes.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyEnvelopes } from '../support/builders/copy-envelopes.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { SIGNATURE_IMAGE, signer } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const OTHERS = 300
const MOST = 100
const NOWHERE = { address: null, userAgent: null }
const KEPT_SECONDS = 86_400
const notifier: Notifier = { publish: async () => {}, next: async () => undefined }

let service: TestService
let caller: CredentialCaller

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_SEALED_RETENTION: `${KEPT_SECONDS}s`, SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '0' })
  const { owner } = service.database
  const { orgId, clientId } = service.organisation
  const [credential] = await owner`select id from credentials where client_id = ${clientId}`
  caller = { kind: 'credential', orgId, credentialId: CredentialId.parse(credential!['id']), clientId, origin: NOWHERE }
  await aSignedEnvelope(service, { signers: [ADA, BEN], labels: { team: 'north' } })
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  expect((await signer(service.url, tokens[0]!.token).requestOtp()).status).toBe(200)
  await finishAll()
  // The envelopes came after the statistics, as for any new organisation: the planner expects almost none.
  await copyEnvelopes(owner, orgId, OTHERS, newId(OrgId))
  await owner`analyze`
  await copyEnvelopes(owner, orgId, OTHERS)
  await owner`select pg_stat_force_next_flush()`
  // An index on the organisation alone is used, too, if there is no better one.
  await owner.unsafe(`alter database "${new URL(service.database.url).pathname.slice(1)}" set enable_seqscan = off`)
  // A session's reads are counted reliably when it ends, so from here on each piece of work has its own sessions.
  await Promise.all([service.database.api.end(), service.database.system.end()])
})
afterAll(() => service[Symbol.asyncDispose]())

/** Until nothing waits any more. */
async function finishAll(): Promise<void> {
  await service.sealEnvelopes()
  await service.sendMails()
  while ((await relayOutbox(service.system, notifier)).rows > 0);
  while ((await extendLedgers(service.system)) > 0);
}

interface Cores {
  api: Core
  system: SystemCore
}

/** Ends when the reads of `work` are counted. */
async function inSessions<T>(work: (cores: Cores) => Promise<T>): Promise<T> {
  const { url, owner } = service.database
  const [start] = await owner<{ at: Date }[]>`select clock_timestamp() as at`
  const api = openDatabase({ url, pool: 1, role: 'sealwright_api' })
  const system = openDatabase({ url, pool: 1, role: 'sealwright_system' })
  try {
    return await work({ api: { ...service.api, database: api }, system: { ...service.system, database: system } })
  } finally {
    await Promise.all([api.end(), system.end()])
    const sessions = () =>
      owner`select from pg_stat_activity where datname = current_database() and backend_start >= ${start!.at}`
    await expect.poll(sessions).toHaveLength(0)
  }
}

/** The tables of which `work` read more rows than belong to one envelope, and how many. */
async function readTooMuch(work: (cores: Cores) => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowsRead()
  await inSessions(work)
  const after = await rowsRead()
  return Object.fromEntries(
    [...after].map(([table, rows]) => [table, rows - before.get(table)!] as const).filter(([, rows]) => rows > MOST),
  )
}

/** By table, total: from the table and from its indexes. */
async function rowsRead(): Promise<Map<string, number>> {
  const rows = await service.database.owner<{ table: string; rows: number }[]>`
    select t.relname as table, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0)::int8 as rows
    from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
    group by t.relid, t.relname, t.seq_tup_read`
  return new Map(rows.map(({ table, rows }) => [table, rows]))
}

async function upload(core: Core): Promise<DocumentId> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'sealwright-own-rows-'))
  const bytes = await readFile(pdfFixture('libreoffice.pdf'))
  const file = { path: path.join(folder.path, 'lease.pdf'), filename: 'lease.pdf', sizeBytes: bytes.length }
  await writeFile(file.path, bytes)
  const stored = await storeUpload(core, caller, { ...file, sha256: createHash('sha256').update(bytes).digest() })
  return (await uploadDocument(core, caller, stored)).id
}

async function draft(core: Core, overrides: Partial<EnvelopeInput> = {}): Promise<EnvelopeId> {
  const plain = { title: 'Lease', signers: [ADA], otpRequired: false, sequentialSigning: false, labels: [] }
  return (await createEnvelope(core, caller, { ...plain, documentIds: [await upload(core)], ...overrides })).id
}

/** A sent envelope with the tokens of its signers. */
const sent = (overrides?: Partial<EnvelopeInput>) =>
  inSessions(async ({ api }) => {
    const id = await draft(api, overrides)
    const { signingTokens } = await sendEnvelope(api, caller, id)
    return { id, tokens: signingTokens.map(({ token }) => token) }
  })

async function viewAndSign(core: Core, token: string): Promise<void> {
  await recordViewOpened(core, token, NOWHERE)
  await recordViewClosed(core, token, 5, NOWHERE)
  await signEnvelope(core, token, { signatureImage: SIGNATURE_IMAGE, language: 'en' }, NOWHERE)
}

test('a draft', async () => {
  const read = await readTooMuch(async ({ api }) => {
    const id = await draft(api)
    await addSigner(api, caller, id, BEN)
    await getEnvelope(api, caller, id)
    await deleteDraft(api, caller, id)
  })
  expect(read).toEqual({})
})

test('the ceremony', async () => {
  const id = await inSessions(({ api }) => draft(api, { signers: [ADA, BEN], sequentialSigning: true }))
  let tokens: string[] = []
  const first = await readTooMuch(async ({ api }) => {
    tokens = (await sendEnvelope(api, caller, id)).signingTokens.map(({ token }) => token)
    await openLink(api, tokens[0]!, 'en')
    await viewAndSign(api, tokens[0]!)
  })
  const last = await readTooMuch(({ api }) => viewAndSign(api, tokens[1]!))
  expect([first, last]).toEqual([{}, {}])
})

test('a one-time code', async () => {
  const { tokens } = await sent({ otpRequired: true })
  expect(await readTooMuch(({ api }) => requestOtp(api, tokens[0]!, NOWHERE))).toEqual({})
})

test('what follows a signature', async () => {
  const { id, tokens } = await sent()
  const wanted = { orgId: service.organisation.orgId, id }
  const steps = [
    async ({ system }: Cores) => expect((await relayOutbox(system, notifier)).rows).toBeGreaterThan(0),
    async ({ system }: Cores) => expect(await sendNextMail(system, service.mails)).toBe(true),
    ({ api }: Cores) => viewAndSign(api, tokens[0]!),
    async ({ system }: Cores) => expect(await sealNextEnvelope(system, service.sealing, wanted)).toBe(true),
    async ({ system }: Cores) => expect(await sendNextMail(system, service.mails)).toBe(true),
    async ({ system }: Cores) => expect(await extendLedgers(system)).toBeGreaterThan(0),
    ({ api }: Cores) => listEnvelopeDocuments(api, caller, id),
    ({ api }: Cores) => getSignedCopy(api, tokens[0]!),
    ({ api }: Cores) => getAuditTrail(api, caller, id),
  ]
  for (const step of steps) expect(await readTooMuch(step), step.toString()).toEqual({})
})

test('other ends', async () => {
  const [cancelled, expired] = [await sent(), await sent()]
  expect(await readTooMuch(({ api }) => cancelEnvelope(api, caller, cancelled.id))).toEqual({})
  const { owner } = service.database
  const { orgId } = service.organisation
  await owner`update envelopes set lapses_at = now() where org_id = ${orgId} and id = ${expired.id}`
  expect(await readTooMuch(async ({ system }) => expect(await expireEnvelopes(system)).toBe(1))).toEqual({})
  await owner`update envelopes set ended_at = now() - interval '2 days' where org_id = ${orgId} and id = ${cancelled.id}`
  expect(await readTooMuch(async ({ system }) => expect(await archiveEnvelopes(system)).toBeGreaterThan(0))).toEqual({})
})
