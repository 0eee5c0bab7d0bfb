import { leaseDueJob } from '#core/work/job-store.ts'
import { listJobs } from '#core/work/list-jobs.ts'
import { retryJobs } from '#core/work/retry-jobs.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { createHash } from 'node:crypto'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { signer } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Completed without a sealing worker: the last signer's call stops waiting. */
async function anUnsealedEnvelope(): Promise<{ id: EnvelopeId; token: string }> {
  const { id, tokens } = await aSentEnvelope(service.client)
  const { completed, signedDocumentUrls } = await signAs(service, tokens[0]!.token)
  expect([completed, signedDocumentUrls]).toEqual([true, {}])
  return { id: id as EnvelopeId, token: tokens[0]!.token }
}

const retry = (id: string) => retryJobs(service.system, SEAL_WORK, { id }, async () => {})

async function sealedObjects(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of service.api.storage.list(
    `organisations/${service.organisation.orgId}/sealed/`,
    new Date(Date.now() + 1_000),
  ))
    keys.push(key)
  return keys
}

describe('an envelope with all signatures', () => {
  // requirements: service-api/documents/DocumentWithUrlsResponse, service-api/signing/signed copy
  test('is sealed, and its copies are available to the organisation and each signer', async () => {
    const { id, tokens } = await aSignedEnvelope(service, { signers: [ADA, BEN] })
    const { body: envelope } = await service.client.get(`/api/v1/envelopes/${id}`)
    expect(envelope.status).toBe('COMPLETED')
    expect(envelope.signers.map(({ status }: { status: string }) => status)).toEqual(['SIGNED', 'SIGNED'])
    const { body: documents } = await service.client.get(`/api/v1/envelopes/${id}/documents`)
    const [original, sealed] = await Promise.all(
      [documents[0].downloadUrl, documents[0].signedUrl].map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
    )
    expect(sealed!.subarray(0, original!.length).equals(original!)).toBe(true)
    expect(verifyPdf(sealed!, { trust: service.sealingKey.chain })).toMatchObject({ valid: true, trusted: true })
    for (const { token } of tokens) {
      const { status, body } = await signer(service.url, token).signedCopy()
      expect([status, body.signedDocumentsReady, body.documents.length]).toEqual([200, true, 1])
    }
  })

  // requirements: decisions/links/signedDocumentUrls
  test("returns the copy's address to the last signer at once", async () => {
    const envelope = await aSentEnvelope(service.client)
    const [answer] = await Promise.all([signAs(service, envelope.tokens[0]!.token), sealWhenDue(envelope.id)])
    expect(answer).toMatchObject({ completed: true, envelopeId: envelope.id })
    const [url] = Object.values(answer.signedDocumentUrls)
    expect((await fetch(String(url))).status).toBe(200)
  })

  test('emails every signer a link to the copy with a separate token', async () => {
    const { tokens } = await aSignedEnvelope(service, { title: 'Mailed copy' })
    await service.sendMails()
    const notice = (await service.mails.list()).find(
      ({ subject }) => subject.includes('Completed') && subject.includes('Mailed copy'),
    )!
    const token = /\/sign\/([A-Za-z0-9_-]{43})/.exec(notice.text)![1]!
    expect(token).not.toBe(tokens[0]!.token)
    expect((await signer(service.url, token).signedCopy()).body.signedDocumentsReady).toBe(true)
    expect((await signer(service.url, token).sign()).body.code).toBe('ALREADY_SIGNED')
  })

  // requirements: decisions/envelopes/lone signer
  test('records events in the order of their occurrence', async () => {
    const { id } = await aSignedEnvelope(service)
    const rows = await service.database
      .owner`select type from events where envelope_id = ${id} and released_at is not null order by seq`
    expect(rows.map((row) => row['type'])).toEqual(['envelope.sent', 'signer.viewed', 'signer.signed', 'envelope.completed'])
  })
})

describe('sealing', () => {
  // requirements: decisions/completion/COMPLETED, decisions/links/signed-documents
  test('that fails leaves the envelope completed, records why and when it is retried, and then succeeds', async () => {
    const { id, token } = await anUnsealedEnvelope()
    const broken: SealingPool = { ...service.sealing, seal: () => Promise.reject(new Error('the key is on fire')) }
    expect(await sealNextEnvelope(service.system, broken)).toBe(true)
    expect((await service.client.get(`/api/v1/envelopes/${id}`)).body.status).toBe('COMPLETED')
    expect((await signer(service.url, token).signedCopy()).body).toMatchObject({ signedDocumentsReady: false, documents: [] })
    const [status] = await listJobs(service.system, SEAL_WORK, { stuck: false })
    expect(status).toMatchObject({ envelopeId: id, state: 'failed, will retry', attempts: 1, lastError: 'the key is on fire' })
    expect(status!.dueAt.getTime()).toBeGreaterThan(Date.now())
    expect(await sealNextEnvelope(service.system, service.sealing)).toBe(false)
    await service.database.moveClock(11)
    expect(await sealNextEnvelope(service.system, service.sealing)).toBe(true)
    expect((await signer(service.url, token).signedCopy()).body.signedDocumentsReady).toBe(true)
    await service.database.moveClock(0)
  })

  test('is dead-lettered after three failures until it is retried', async () => {
    const { id } = await anUnsealedEnvelope()
    const broken: SealingPool = { ...service.sealing, seal: () => Promise.reject(new Error('broken')) }
    for (const seconds of [0, 11, 100]) {
      await service.database.moveClock(seconds)
      await sealNextEnvelope(service.system, broken)
    }
    await service.database.moveClock(100_000)
    expect(await sealNextEnvelope(service.system, service.sealing)).toBe(false)
    await service.database.moveClock(0)
    expect(await listJobs(service.system, SEAL_WORK, { stuck: true })).toMatchObject([
      { envelopeId: id, state: 'stuck', attempts: 3 },
    ])
    expect(await retry(id)).toBe(1)
    await service.sealEnvelopes()
    expect(await listJobs(service.system, SEAL_WORK, { stuck: false })).toEqual([])
    expect(await retry(id)).toBe(0)
  })

  test('waits for another key when the certificate has expired, and is not dead-lettered for that', async () => {
    const { id } = await anUnsealedEnvelope()
    const years = 5 * 365 * 86_400
    for (const seconds of [0, 16, 32, 48]) {
      await service.database.moveClock(years + seconds)
      expect(await sealNextEnvelope(service.system, service.sealing)).toBe(true)
    }
    expect(await listJobs(service.system, SEAL_WORK, { stuck: false })).toMatchObject([
      { envelopeId: id, state: 'failed, will retry', lastError: expect.stringContaining('certificate') },
    ])
    await service.database.moveClock(0)
    expect(await retry(id)).toBe(1)
    await service.sealEnvelopes()
  })

  test('has as many attempts after lost workers as after failures alone', async () => {
    const { id } = await anUnsealedEnvelope()
    for (const seconds of [0, 60, 120]) {
      await service.database.moveClock(seconds)
      expect(await leaseDueJob(service.system.database, SEAL_WORK, 30)).toMatchObject({ id })
    }
    const broken: SealingPool = { ...service.sealing, seal: () => Promise.reject(new Error('broken')) }
    for (const [seconds, state] of [
      [180, 'failed, will retry'],
      [191, 'failed, will retry'],
      [300, 'stuck'],
    ] as const) {
      await service.database.moveClock(seconds)
      expect(await sealNextEnvelope(service.system, broken)).toBe(true)
      expect(await listJobs(service.system, SEAL_WORK, { stuck: false })).toMatchObject([{ envelopeId: id, state }])
    }
    await retry(id)
    await service.sealEnvelopes()
    await service.database.moveClock(0)
  })

  test('is dead-lettered without another attempt when several workers were lost during it', async () => {
    const { id } = await anUnsealedEnvelope()
    for (let losses = 0; losses < MAX_LOST_ATTEMPTS; losses++) {
      await service.database.moveClock(losses * 60)
      expect(await leaseDueJob(service.system.database, SEAL_WORK, 30)).toMatchObject({ id })
    }
    await service.database.moveClock(MAX_LOST_ATTEMPTS * 60)
    const untouched = { ...service.sealing, seal: () => Promise.reject(new Error('was begun')) }
    expect(await sealNextEnvelope(service.system, untouched)).toBe(true)
    expect(await listJobs(service.system, SEAL_WORK, { stuck: true })).toMatchObject([
      { envelopeId: id, state: 'stuck', lastError: expect.stringContaining('without a result') },
    ])
    expect(await retry(id)).toBe(1)
    await service.sealEnvelopes()
    expect(await listJobs(service.system, SEAL_WORK, { stuck: false })).toEqual([])
    await service.database.moveClock(0)
  })

  test('by a run with an expired lease and by its successor stores one file', async () => {
    const { id } = await anUnsealedEnvelope()
    const before = await sealedObjects()
    const released = Promise.withResolvers<void>()
    const slow: SealingPool = {
      ...service.sealing,
      async seal(request, key) {
        const sealed = await service.sealing.seal(request, key)
        await released.promise
        return sealed
      },
    }
    const first = sealNextEnvelope(service.system, slow)
    await untilLeased(id)
    await service.database.moveClock(301)
    await sealNextEnvelope(service.system, service.sealing)
    released.resolve()
    await first
    await service.database.moveClock(0)
    const made = (await sealedObjects()).filter((key) => !before.includes(key))
    expect(made).toHaveLength(1)
    const [row] = await service.database.owner`select sha256, storage_key from sealed_documents where envelope_id = ${id}`
    const stored = await service.api.storage.read(row!['storageKey'])
    expect(createHash('sha256').update(stored).digest().equals(row!['sha256'])).toBe(true)
    expect(await service.database.owner`select 1 from mails where envelope_id = ${id} and template = 'COMPLETED'`).toHaveLength(1)
  })
})

async function sealWhenDue(envelopeId: string): Promise<void> {
  await untilRow(() => service.database.owner`select 1 from seal_jobs where envelope_id = ${envelopeId}`)
  await service.sealEnvelopes()
}
const untilLeased = (id: string) =>
  untilRow(() => service.database.owner`select 1 from seal_jobs where envelope_id = ${id} and leased_until is not null`)

async function untilRow(look: () => PromiseLike<{ length: number }>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if ((await look()).length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The row never came.')
}
