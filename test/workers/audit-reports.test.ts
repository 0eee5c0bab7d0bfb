// The sealed audit report: made once, after the envelope has ended, whatever happens to the worker, the store and the envelope meanwhile.
import { createHash } from 'node:crypto'
import { makeNextReport } from '#core/audit-report/make-next-report.ts'
import { verifyCopy } from '#core/audit-report/verify-copy.ts'
import { REPORT_WORK } from '#core/envelope/report-job.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { listJobs } from '#core/work/list-jobs.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { type PanelClient, signedIn } from '../support/clients/panel-client.ts'
import { pdfText } from '../support/judges/pdf-text.ts'
import { KEPT_SECONDS, type ShortRetention, shortRetention } from '../support/servers/short-retention.ts'
import type { TestService } from '../support/servers/test-service.ts'

let service: TestService
let sweep: ShortRetention['sweep']
let objects: ShortRetention['objects']
let admin: PanelClient

beforeAll(async () => {
  ;({ service, sweep, objects } = await shortRetention())
  admin = await signedIn(service)
})
beforeEach(async () => {
  await service.database.moveClock(0)
  await service.makeReports()
})
afterAll(() => service[Symbol.asyncDispose]())

/** What the panel downloads. */
async function download(id: string): Promise<Buffer> {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
  const path = `${service.url}/settings/api/envelopes/${id}/audit`
  const response = await fetch(path, { headers: { Cookie: cookie, Accept: 'application/pdf' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return Buffer.from(await response.arrayBuffer())
}

const words = async (pdf: Buffer) => (await pdfText(pdf)).replaceAll(/\s+/g, ' ')
const sealOf = (pdf: Buffer) => verifyPdf(pdf, { trust: [service.sealingKey.certificate] })

interface ReportRow {
  state: string
  storageKey: string | null
  sha256: Buffer | null
  pdf: Buffer | null
  auditSeq: number | null
  lastError: string | null
  outages: number
}

async function rowOf(id: string): Promise<ReportRow> {
  const [row] = await service.database.owner<ReportRow[]>`select * from audit_reports where envelope_id = ${id}`
  return row!
}

const reports = async () => (await objects()).filter((key) => key.includes('/reports/'))
const makers = (sealing: SealingPool = service.sealing) => ({ reports: service.reports, sealing })
const make = (storage: ObjectStore = service.system.storage, sealing = service.sealing) =>
  makeNextReport({ ...service.system, storage }, makers(sealing))

async function completed(): Promise<string> {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
  for (const { token } of tokens) await signAs(service, token)
  await service.sealEnvelopes()
  return id
}

async function cancelled(): Promise<string> {
  const { id } = await aSentEnvelope(service.client)
  expect((await service.client.post(`/api/v1/envelopes/${id}/cancel`)).status).toBe(204)
  return id
}

async function expired(): Promise<string> {
  const { id } = await aSentEnvelope(service.client, { linkTtlHours: 1 })
  await service.database.owner`update envelopes set lapses_at = sealwright_now() where id = ${id}`
  await expireEnvelopes(service.system)
  return id
}

describe('the report of an envelope that has ended', () => {
  // requirements: decisions/smaller/sealed report, running/panel/GET /envelopes/{id}/audit
  test.each([
    ['COMPLETED', completed, 'Completed'],
    ['CANCELLED', cancelled, 'Cancelled'],
    ['EXPIRED', expired, 'Expired'],
  ])('as %s is sealed once, and the same file is served every time', async (_status, end, said) => {
    const id = await end()
    const draft = await download(id)
    expect([await words(draft), sealOf(draft).valid]).toEqual([expect.stringContaining('Draft: not final'), false])
    expect([await make(), await make()]).toEqual([true, false])

    const sealed = await download(id)
    const { auditSeq, sha256, ...row } = await rowOf(id)
    expect(row).toMatchObject({ state: 'DONE', pdf: null, lastError: null })
    expect(createHash('sha256').update(sealed).digest()).toEqual(sha256)
    expect(await download(id)).toEqual(sealed)

    const [head] = await service.database.owner`select seq, hash from audit_heads where envelope_id = ${id}`
    const { valid, trusted, signature } = sealOf(sealed)
    expect([valid, trusted]).toEqual([true, true])
    expect(signature?.auditHead).toEqual({ envelopeId: id, seq: auditSeq, hash: head!['hash'].toString('hex') })
    expect(auditSeq).toBe(head!['seq'])
    expect(await verifyCopy(service.system, sealed)).toMatchObject({ matches: true })
    const text = await words(sealed)
    for (const each of [said, `every event up to entry ${auditSeq}`, 'The audit trail is intact']) expect(text).toContain(each)
    expect(text).not.toContain('not final')
  })

  test('prints signers, consent, pictures, hashes before and after sealing, and every event', async () => {
    const id = await completed()
    await make()
    const text = await words(await download(id))
    const [signature] = await service.database
      .owner`select id from signatures where envelope_id = ${id} order by signed_at limit 1`
    const [document] = await service.database.owner`
      select encode(d.sha256, 'hex') as original, encode(s.sha256, 'hex') as sealed
      from documents d join sealed_documents s on s.document_id = d.id where d.envelope_id = ${id}`
    const code = service.api.keys.verificationCode(signature!['id'])
    for (const each of [
      ADA.email,
      BEN.name,
      signature!['id'],
      code,
      'Agreed to (version 1, English) By choosing',
      'Documents: opened once',
    ])
      expect(text).toContain(each)
    const unbroken = text.replaceAll(' ', '')
    for (const each of [document!['original'], document!['sealed']]) expect(unbroken).toContain(each)
    const events = await service.database.owner`select seq from audit_events where envelope_id = ${id}`
    for (const { seq } of events) expect(text).toMatch(new RegExp(`\\b${seq} \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6}`))
  })

  test('is not made before the documents are sealed', async () => {
    const { id, tokens } = await aSentEnvelope(service.client)
    await signAs(service, tokens[0]!.token)
    expect([await rowOf(id), await make()]).toEqual([undefined, false])
    await service.sealEnvelopes()
    expect(await rowOf(id)).toMatchObject({ state: 'WAITING' })
  })

  test('is never sealed when the trail was tampered with: the job is dead-lettered, and the draft warns', async () => {
    const id = await cancelled()
    await service.database.owner.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`update audit_events set detail = '{"signers": 9}' where envelope_id = ${id} and seq = 1`
    })
    expect(await make()).toBe(true)
    expect(await rowOf(id)).toMatchObject({ state: 'DEAD', sha256: null, lastError: expect.stringContaining('tampered with') })
    const text = await words(await download(id))
    for (const each of ['The audit trail is not intact', 'Draft: not final']) expect(text).toContain(each)
  })

  test('is not served when the stored file is another one', async () => {
    const id = await cancelled()
    await make()
    await service.database.owner`update audit_reports set sha256 = sha256(sha256) where envelope_id = ${id}`
    expect((await admin.get(`/envelopes/${id}/audit`, { Accept: 'application/pdf' })).status).toBe(500)
  })
})

describe('a crash', () => {
  const dies = () => Promise.reject(new Error('killed'))
  const again = async (id: string) => {
    await service.database
      .owner`update audit_reports set leased_until = null, due_at = sealwright_now() where envelope_id = ${id}`
    await service.makeReports()
  }

  test.each([
    ['before it is stored', { put: dies }],
    [
      'after it is stored, before the row says so',
      {
        put: async (...object: Parameters<ObjectStore['put']>) => {
          await service.system.storage.put(...object)
          throw new Error('killed')
        },
      },
    ],
  ])('%s: the next run stores the same bytes, and no second object', async (_when, broken) => {
    const before = await reports()
    const id = await cancelled()
    await make({ ...service.system.storage, ...broken })
    const recorded = await rowOf(id)
    expect(recorded).toMatchObject({ state: 'WAITING', pdf: expect.any(Buffer), sha256: expect.any(Buffer) })
    await again(id)
    expect(await rowOf(id)).toMatchObject({ state: 'DONE', sha256: recorded.sha256, pdf: null })
    expect((await reports()).filter((key) => !before.includes(key))).toEqual([recorded.storageKey])
    expect(await download(id)).toEqual(recorded.pdf)
  })

  test('before it is recorded leaves nothing behind', async () => {
    const before = await reports()
    const id = await cancelled()
    await make(undefined, { ...service.sealing, seal: dies })
    expect([await rowOf(id), await reports()]).toMatchObject([{ state: 'WAITING', sha256: null }, before])
    await again(id)
    expect(await rowOf(id)).toMatchObject({ state: 'DONE' })
  })

  test('of the store is an outage, not a failure of the report', async () => {
    const id = await cancelled()
    const put = () => Promise.reject(new StorageError('unreachable', 'store away'))
    for (let tries = 0; tries < 5; tries++) {
      await make({ ...service.system.storage, put })
      await service.database.owner`update audit_reports set due_at = sealwright_now() where envelope_id = ${id}`
    }
    expect(await rowOf(id)).toMatchObject({ state: 'WAITING', outages: 5 })
    await service.makeReports()
    expect(await rowOf(id)).toMatchObject({ state: 'DONE' })
  })

  test.each([
    ['recorded', false],
    ['stored', true],
  ])('that was none: two workers at once store one report, when the second has %s its own', async (_what, isStored) => {
    const before = await reports()
    const id = await cancelled()
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow: SealingPool = {
      ...service.sealing,
      async seal(request, key) {
        const sealed = await service.sealing.seal(request, key)
        reached.resolve()
        await released.promise
        return sealed
      },
    }
    const first = make(undefined, slow)
    await reached.promise
    await service.database.owner`update audit_reports set leased_until = null where envelope_id = ${id}`
    let recordedKey: string | null = null
    const put: ObjectStore['put'] = async (...object) => {
      if (isStored) await service.system.storage.put(...object)
      recordedKey = (await rowOf(id)).storageKey
      released.resolve()
      await first
      return service.system.storage.put(...object)
    }
    expect(await make({ ...service.system.storage, put })).toBe(true)
    const { state } = await rowOf(id)
    expect([state, (await reports()).filter((key) => !before.includes(key))]).toEqual(['DONE', [recordedKey]])
  })
})

describe('the end of the retention', () => {
  test('deletes the report; then a copy is drawn without pictures and without a seal', async () => {
    const before = await objects()
    const { id } = await aSignedEnvelope(service)
    await service.makeReports()
    expect(await objects()).toHaveLength(before.length + 3)
    await service.database
      .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
    expect(await words(await download(id))).toContain('Copy: not sealed')
    while ((await sweep()) > 0);
    expect(await objects()).toEqual(before)
    const text = await words(await download(id))
    for (const each of ['Copy: not sealed', 'The picture was deleted']) expect(text).toContain(each)
    expect(await rowOf(id)).toMatchObject({ state: 'DONE', sha256: expect.any(Buffer) })
  })

  test('drops a report that is not made yet', async () => {
    const before = await objects()
    const id = await cancelled()
    await service.database
      .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
    while ((await sweep()) > 0);
    expect([await make(), await rowOf(id), await objects()]).toMatchObject([false, { state: 'DROPPED' }, before])
    const unfinished = await listJobs(service.system, REPORT_WORK, { stuck: false })
    expect(unfinished.map((job) => job.id)).not.toContain(id)
  })

  test('waits for a worker that makes the report, which then leaves nothing', async () => {
    const before = await objects()
    const id = await cancelled()
    const put: ObjectStore['put'] = async (...object) => {
      await service.database
        .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
      expect(await sweep()).toBe(1)
      expect(await service.database.owner`select erased_at from envelopes where id = ${id}`).toEqual([{ erasedAt: null }])
      return service.system.storage.put(...object)
    }
    expect(await make({ ...service.system.storage, put })).toBe(true)
    await service.database.moveClock(60)
    while ((await sweep()) > 0);
    expect([await rowOf(id), await objects()]).toMatchObject([{ state: 'DROPPED', pdf: null }, before])
  })
})
