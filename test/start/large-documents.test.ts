// Documents above 16 MB through the API and a sealing worker, as processes on S3: uploaded in parts, verified when read, and aborted by a
// process that is stopped halfway.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { createOrganisation } from '#core/account/organisation/create-organisation.ts'
import { newS3Client } from '#core/platform/storage/s3/s3-client.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildSamplePdf } from '../bench/sample-pdf.ts'
import { type ApiClient, apiClient } from '../support/clients/api-client.ts'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { startFaultProxy } from '../support/faults/fault-proxy.ts'
import { startHoldingProxy } from '../support/faults/unresponsive-servers.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { signer } from '../support/clients/signer.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { type Environment, startTier, type TierProcess } from '../support/servers/tier-process.ts'
import { validSettings } from '../support/servers/valid-settings.ts'

const MIB = 1 << 20
const PATIENCE = { timeout: 150_000, interval: 50 }

let endings: AsyncDisposableStack
let pdf: Buffer
beforeAll(async () => {
  endings = new AsyncDisposableStack()
  pdf = await buildSamplePdf({ pages: 12, bytes: 20_000_000, linksPerPage: 2 })
})
afterAll(() => endings.disposeAsync())

interface Ground {
  database: TestDatabase
  valid: Environment
  endpoint: string
  url: string
}

/** A separate database and bucket. */
async function ground(): Promise<Ground> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-large-'))
  endings.defer(() => rm(folder, { recursive: true, force: true }))
  const database = endings.use(await testDatabase())
  const valid = await validSettings(database.url, folder)
  return {
    database,
    valid,
    endpoint: valid['SEALWRIGHT_S3_ENDPOINT'] ?? '',
    url: `http://127.0.0.1:${valid['SEALWRIGHT_PORT']}`,
  }
}

async function start(own: Ground, endpoint: string): Promise<{ api: TierProcess; client: ApiClient }> {
  const api = begin(['api/main.ts'], { ...own.valid, SEALWRIGHT_S3_ENDPOINT: endpoint })
  await vi.waitFor(async () => expect((await fetch(`${own.url}/readyz`)).status).toBe(200), PATIENCE)
  const organisation = await createOrganisation({ database: own.database.system }, { name: 'Test organisation' })
  return { api, client: await apiClient(own.url, organisation) }
}

function begin(command: readonly string[], environment: Environment): TierProcess {
  const tier = startTier(command, environment)
  endings.defer(async () => void (await tier.stop()))
  return tier
}

async function unfinished({ valid, endpoint }: Ground): Promise<number> {
  const client = newS3Client(
    {
      endpoint,
      publicEndpoint: undefined,
      region: valid['SEALWRIGHT_S3_REGION'] ?? '',
      bucket: '',
      accessKeyId: valid['SEALWRIGHT_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: valid['SEALWRIGHT_S3_SECRET_ACCESS_KEY'] ?? '',
      forcePathStyle: true,
    },
    endpoint,
  )
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: valid['SEALWRIGHT_S3_BUCKET'] }))
  client.destroy()
  return Uploads.length
}

test.concurrent('a document of 20 MB is uploaded, sealed and downloaded byte for byte', async ({ expect }) => {
  const own = await ground()
  const proxy = await startFaultProxy(own.endpoint)
  endings.defer(() => proxy.close())
  const { client } = await start(own, proxy.url)
  begin(['workers/main.ts', 'seal'], { ...own.valid, SEALWRIGHT_S3_ENDPOINT: proxy.url })
  const partsSent = () => proxy.seen.filter((each) => /organisations.*partNumber=/.test(each)).length

  const upload = await client.upload('/api/v1/documents', pdf)
  expect({ status: upload.status, size: upload.body.sizeBytes }).toEqual({ status: 201, size: pdf.length })
  expect(partsSent()).toBe(Math.ceil(pdf.length / (8 * MIB)))
  const { tokens } = await aSentEnvelope(client, { documentIds: [upload.body.id] })
  const token = tokens[0]?.token ?? ''
  const [original] = (await signer(own.url, token).open()).body.documents
  expect(pdf.equals(await download(original.downloadUrl))).toBe(true)

  await signAs(own, token)
  const isReady = async () => (await signer(own.url, token).signedCopy()).body.signedDocumentsReady
  await vi.waitFor(async () => expect(await isReady()).toBe(true), PATIENCE)
  const [copy] = (await signer(own.url, token).signedCopy()).body.documents
  const sealed = await download(copy.signedDownloadUrl)
  expect(sealed.length).toBeGreaterThan(pdf.length)
  expect(pdf.equals(sealed.subarray(0, pdf.length))).toBe(true)
  const [row] = await own.database.owner<{ size: number; hash: Buffer }[]>`
    select size_bytes::int as size, sha256 as hash from sealed_documents`
  expect(row).toEqual({ size: sealed.length, hash: createHash('sha256').update(sealed).digest() })
  expect(await unfinished(own)).toBe(0)
})

test.concurrent('a process that is stopped while S3 accepts no more of a document aborts its parts', async ({ expect }) => {
  const own = await ground()
  // Only a megabyte of each connection gets through, so every part stalls.
  const proxy = endings.use(await startHoldingProxy(Number(new URL(own.endpoint).port), { upBytes: MIB, downBytes: Infinity }))
  const { api, client } = await start(own, `http://127.0.0.1:${proxy.port}`)
  const upload = client.upload('/api/v1/documents', pdf).catch((error: unknown) => error)
  await vi.waitFor(async () => expect(await unfinished(own)).toBe(1), PATIENCE)
  expect(await api.stop()).toBe(0)
  expect(await upload).toBeInstanceOf(Error)
  expect(await unfinished(own)).toBe(0)
})

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`Not handed out: ${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}
