import { renewLease } from '#core/work/job-store.ts'
import { listJobs } from '#core/work/list-jobs.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { verifyAudit } from '#core/audit/verify-audit.ts'
import type { EnvelopeId, SignatureId } from '#core/ids.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiClient, type ApiClient, clientWithToken } from '../support/clients/api-client.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { signedIn } from '../support/clients/panel-client.ts'
import { usageOf } from '../support/builders/rows.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { signer } from '../support/clients/signer.ts'
import { KEPT_SECONDS, type ShortRetention, shortRetention } from '../support/servers/short-retention.ts'
import type { TestService } from '../support/servers/test-service.ts'

let service: TestService
let client: ApiClient
let sweep: ShortRetention['sweep']
let row: ShortRetention['row']
let objects: ShortRetention['objects']

beforeAll(async () => {
  ;({ service, sweep, row, objects } = await shortRetention())
})
beforeEach(() => moveTo(0))
afterAll(() => service[Symbol.asyncDispose]())

async function moveTo(seconds: number): Promise<void> {
  await service.database.moveClock(seconds)
  client = await apiClient(service.url, service.organisation)
}
const documentsOf = async (id: string) => (await client.get(`/api/v1/envelopes/${id}/documents`)).body
const usage = () => usageOf(service.database.owner, service.organisation)

/** Blocks all arrivals until it is opened. */
function newBarrier() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: opened.resolve,
    async pass(): Promise<void> {
      reached.resolve()
      await opened.promise
    },
  }
}

/** Its public proof, as printed in the seal. */
async function proofOf(id: string): Promise<string> {
  const [signature] = await service.database.owner<{ id: SignatureId }[]>`select id from signatures where envelope_id = ${id}`
  return `/api/v1/verify?id=${signature!.id}&h=${service.api.keys.verificationCode(signature!.id)}`
}

describe('documents whose retention has ended', () => {
  // requirements: decisions/documents/retention, decisions/links/signed-documents, decisions/smaller/clean-up
  test('are hidden from every read at once, and their links stop working', async () => {
    const { id, tokens } = await aSignedEnvelope(service)
    const [{ downloadUrl, signedUrl }] = await documentsOf(id)
    const proof = await proofOf(id)
    expect((await client.get(proof)).body.valid).toBe(true)
    expect((await fetch(signedUrl)).status).toBe(200)
    await moveTo(KEPT_SECONDS + 1)
    expect(await documentsOf(id)).toEqual([
      { id: expect.any(String), filename: 'document.pdf', downloadUrl: null, signedUrl: null },
    ])
    expect((await signer(service.url, tokens[0]!.token).signedCopy()).body).toMatchObject({
      archived: true,
      signedDocumentsReady: false,
      documents: [],
    })
    expect((await signer(service.url, tokens[0]!.token).open()).body).toMatchObject({ alreadySigned: true, documents: [] })
    for (const url of [downloadUrl, signedUrl]) expect((await fetch(url)).status).toBe(404)
    expect((await clientWithToken(service.url).get(proof)).body).toMatchObject({ valid: false, envelopeId: id })
    expect((await client.get(`/api/v1/envelopes/${id}`)).body).toMatchObject({ status: 'COMPLETED', documentCount: 1 })
    while ((await sweep()) > 0);
  })

  // requirements: decisions/documents/retention
  test('are deleted from the store by the sweep; envelope, signers, sizes, hashes and audit trail stay', async () => {
    const before = { usage: await usage(), objects: await objects() }
    const { id } = await aSignedEnvelope(service)
    await moveTo(KEPT_SECONDS - 60)
    expect(await sweep()).toBe(0)
    await moveTo(KEPT_SECONDS + 1)
    expect([await sweep(), await sweep()]).toEqual([2, 0])
    expect({ usage: await usage(), objects: await objects() }).toEqual(before)
    const [kept] = await service.database.owner`
      select d.sha256, d.inspection, s.sha256 as sealed, length(g.appearance) as drawn
      from documents d join sealed_documents s on s.document_id = d.id join signatures g on g.envelope_id = d.envelope_id
      where d.envelope_id = ${id}`
    expect(kept).toEqual({ sha256: expect.any(Buffer), inspection: {}, sealed: expect.any(Buffer), drawn: 0 })
    expect((await client.get(`/api/v1/envelopes/${id}`)).body.signers).toMatchObject([{ status: 'SIGNED' }])
    const audit = await service.database
      .owner`select action from audit_events where envelope_id = ${id} order by seq desc limit 1`
    expect(audit).toEqual([{ action: 'envelope.archived' }])
    expect((await verifyAudit(service.system, service.organisation.orgId)).badRows).toEqual([])
  })

  test.each(['CANCELLED', 'EXPIRED'])('are also deleted when the envelope was %s', async (status) => {
    const before = await objects()
    const { id } = await aSentEnvelope(client)
    await service.database.owner`update envelopes set status = ${status}, ended_at = sealwright_now() where id = ${id}`
    await moveTo(KEPT_SECONDS + 1)
    expect([(await documentsOf(id))[0].downloadUrl, await sweep(), await objects()]).toEqual([null, 2, before])
  })

  // requirements: decisions/documents/retention, decisions/smaller/retention setting
  test("are kept as long as the organisation has chosen, regardless of the installation's setting", async () => {
    const { id } = await aSignedEnvelope(service)
    await service.database.owner`update organisations set retention_days = 30 where id = ${service.organisation.orgId}`
    await moveTo(30 * 86_400 - 60)
    expect([(await documentsOf(id))[0].signedUrl === null, await sweep()]).toEqual([false, 0])
    await moveTo(30 * 86_400 + 1)
    expect([(await documentsOf(id))[0].signedUrl === null, await sweep()]).toEqual([true, 2])
    await service.database.owner`update organisations set retention_days = null where id = ${service.organisation.orgId}`
  })
})

describe('a crash', () => {
  test('between the mark and the deletion leaves nothing readable, and the next sweep finishes', async () => {
    const before = await objects()
    const { id } = await aSignedEnvelope(service)
    await moveTo(KEPT_SECONDS + 1)
    let deletes = 0
    const broken: ObjectStore = {
      ...service.system.storage,
      delete: (key) =>
        ++deletes > 1 ? Promise.reject(new StorageError('unreachable', 'store away')) : service.system.storage.delete(key),
    }
    await expect(sweep(broken)).rejects.toThrow('store away')
    expect(await row(id)).toMatchObject({ archivedAt: expect.any(Date), erasedAt: null })
    await service.database.owner`update organisations set retention_days = 3650 where id = ${service.organisation.orgId}`
    expect((await documentsOf(id))[0].signedUrl).toBeNull()
    expect([await sweep(), await sweep(), await objects()]).toEqual([1, 0, before])
    await service.database.owner`update organisations set retention_days = null where id = ${service.organisation.orgId}`
  })

  test('does not matter here: an envelope that is being sealed keeps its bytes until the seal is done, and leaves nothing', async () => {
    const before = await objects()
    const { id, tokens } = await aSentEnvelope(client)
    await signAs(service, tokens[0]!.token)
    const barrier = newBarrier()
    const slow: SealingPool = {
      ...service.sealing,
      async seal(request, key) {
        await barrier.pass()
        return service.sealing.seal(request, key)
      },
    }
    const sealing = sealNextEnvelope(service.system, slow)
    await barrier.reached
    await service.database
      .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
    expect([await sweep(), await row(id)]).toMatchObject([1, { erasedAt: null }])
    // The worker is alive and renews its lease, longer than the first one lasted.
    await renewLease(service.system.database, SEAL_WORK, { ...service.organisation, id, attempts: 1 }, 40)
    await moveTo(20)
    expect(await sweep()).toBe(0)
    barrier.open()
    await sealing
    await moveTo(60)
    expect([await sweep(), await sweep(), await objects()]).toEqual([1, 0, before])
    expect(await listJobs(service.system, SEAL_WORK, { stuck: false })).toEqual([])
    expect(await service.database.owner`select 1 from mails where envelope_id = ${id} and template = 'COMPLETED'`).toHaveLength(0)
  })

  test('of a worker that returns too late: it deletes what it stored', async () => {
    const before = await objects()
    const { id, tokens } = await aSentEnvelope(client)
    await signAs(service, tokens[0]!.token)
    const barrier = newBarrier()
    const { storage } = service.system
    const slow: ObjectStore = {
      ...storage,
      async put(key, bytes, attributes) {
        await barrier.pass()
        return storage.put(key, bytes, attributes)
      },
    }
    const sealing = sealNextEnvelope({ ...service.system, storage: slow }, service.sealing)
    await barrier.reached
    await service.database
      .owner`update envelopes set ended_at = ended_at - make_interval(secs => ${KEPT_SECONDS}) where id = ${id}`
    expect([await sweep(), await row(id)]).toMatchObject([1, { erasedAt: null }])
    await moveTo(600)
    expect([await sweep(), await row(id)]).toMatchObject([1, { erasedAt: expect.any(Date) }])
    barrier.open()
    await sealing
    expect(await objects()).toEqual(before)
  })
})

describe('a legal hold', () => {
  const holdPath = (id: string) => `/envelopes/${id}/legal-hold`
  const admin = () => signedIn(service)

  // requirements: decisions/documents/retention
  test('keeps the documents beyond their retention until it is released, and both are recorded', async () => {
    const { id } = await aSignedEnvelope(service)
    const panel = await admin()
    const held = await panel.put(holdPath(id))
    expect([held.status, held.body]).toEqual([200, { heldSince: expect.any(String) }])
    expect((await panel.put(holdPath(id))).body).toEqual(held.body)
    await moveTo(KEPT_SECONDS + 1)
    expect([await sweep(), (await documentsOf(id))[0].signedUrl]).toEqual([0, expect.any(String)])
    const later = await admin()
    expect((await later.delete(holdPath(id))).status).toBe(204)
    expect((await later.delete(holdPath(id))).status).toBe(204)
    expect([(await documentsOf(id))[0].signedUrl, await sweep()]).toEqual([null, 2])
    const audit = await service.database
      .owner`select action, actor->>'kind' as kind from audit_events where envelope_id = ${id} order by seq desc limit 3`
    expect(audit.toReversed()).toEqual([
      { action: 'legal_hold.set', kind: 'person' },
      { action: 'legal_hold.released', kind: 'person' },
      { action: 'envelope.archived', kind: 'system' },
    ])
  })

  test('restores nothing whose retention has ended, and does not apply to drafts', async () => {
    const { id } = await aSignedEnvelope(service)
    const draft = await client.post('/api/v1/envelopes', { title: 'x', signers: [{ email: 'a@example.test', name: 'A' }] })
    const panel = await admin()
    const refused = await panel.put(holdPath(draft.body.id))
    expect([refused.status, refused.body.code]).toEqual([409, 'ENVELOPE_CANNOT_BE_HELD'])
    await moveTo(KEPT_SECONDS + 1)
    const late = await (await admin()).put(holdPath(id))
    expect([late.status, late.body.code]).toEqual([409, 'ENVELOPE_CANNOT_BE_HELD'])
    expect((await row(id as EnvelopeId))['heldAt']).toBeNull()
    while ((await sweep()) > 0);
  })

  test("is for admins, and for their own organisation's envelopes", async () => {
    const { id } = await aSentEnvelope(client)
    const member = await signedIn(service, { role: 'MEMBER' })
    expect([(await member.put(holdPath(id))).status, (await member.delete(holdPath(id))).status]).toEqual([403, 403])
    const { organisation } = await service.anotherOrganisation()
    const stranger = await signedIn(service, { orgId: organisation.orgId })
    for (const answer of [await stranger.put(holdPath(id)), await stranger.delete(holdPath(id))])
      expect([answer.status, answer.body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
  })
})
