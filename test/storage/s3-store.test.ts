import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import type { S3StoreOptions } from '#core/platform/storage/s3/s3-client.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { type FaultProxy, type HttpFault, startFaultProxy } from '../support/faults/fault-proxy.ts'
import { newBucket } from '../support/servers/object-stores.ts'
import { openProxiedStore, type ProxiedStore } from '../support/faults/proxied-store.ts'
import { startTlsFront } from '../support/servers/tls-front.ts'

const pdf = (bytes: Buffer) => ({ contentType: 'application/pdf', sha256: createHash('sha256').update(bytes).digest() })
const newKey = () => `documents/${randomUUID()}/original`

let options: S3StoreOptions
beforeAll(async () => {
  options = await newBucket()
})

// requirements: running/settings/S3
describe('the check at start', () => {
  async function failure(changed: Partial<S3StoreOptions>): Promise<unknown> {
    const store = openS3Store({ ...options, ...changed })
    try {
      await store.check()
      return 'passed'
    } catch (error) {
      return error
    } finally {
      await store.close()
    }
  }

  test.each<[string, Partial<S3StoreOptions>, string, string]>([
    [
      'a bucket that does not exist',
      { bucket: 'no-such-bucket' },
      'failed',
      'The bucket in SEALWRIGHT_S3_BUCKET does not exist.',
    ],
    ['a name no bucket can have', { bucket: 'No_Bucket' }, 'failed', 'SEALWRIGHT_S3_BUCKET is not a valid bucket name.'],
    [
      'a wrong secret',
      { secretAccessKey: 'wrong' },
      'denied',
      'SEALWRIGHT_S3_SECRET_ACCESS_KEY does not belong to SEALWRIGHT_S3_ACCESS_KEY_ID.',
    ],
    [
      'an unknown key',
      { accessKeyId: 'unknown' },
      'denied',
      'SEALWRIGHT_S3_ACCESS_KEY_ID is not known at SEALWRIGHT_S3_ENDPOINT.',
    ],
    [
      'another region',
      { region: 'eu-central-1' },
      'failed',
      'SEALWRIGHT_S3_REGION is not the region of the bucket in SEALWRIGHT_S3_BUCKET.',
    ],
  ])('names the setting behind %s', async (_, changed, reason, message) => {
    expect(await failure(changed)).toMatchObject({ name: 'StorageError', reason, message })
  })

  test('names the endpoint when nothing listens there', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    expect(await failure({ endpoint })).toMatchObject({ message: 'SEALWRIGHT_S3_ENDPOINT cannot be reached (ECONNREFUSED).' })
  })

  test('says by how much the clock is off', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    try {
      expect(await failure({})).toMatchObject({
        message: expect.stringMatching(/^The clocks of this machine and of SEALWRIGHT_S3_ENDPOINT differ by (59|60) minutes/),
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('refuses a store that overwrites in spite of If-None-Match', async () => {
    const objects = new Map<string, Buffer>()
    const careless = createServer((request, response) => {
      void buffer(request).then((body) => {
        if (request.method === 'PUT') objects.set(request.url?.split('?')[0] ?? '', body)
        response.writeHead(200).end(request.method === 'GET' ? objects.get(request.url?.split('?')[0] ?? '') : undefined)
      })
    })
    const port = await freePort()
    await new Promise<void>((resolve) => {
      careless.listen(port, '127.0.0.1', resolve)
    })
    try {
      expect(await failure({ endpoint: `http://127.0.0.1:${port}` })).toMatchObject({
        message: expect.stringContaining('overwrites objects despite If-None-Match'),
      })
    } finally {
      careless.close()
    }
  })
})

describe('on a bad line', () => {
  let proxy: FaultProxy
  let store: ObjectStore
  let spool: string
  let close: ProxiedStore['close']
  beforeEach(async () => {
    ;({ store, proxy, spool, close } = await openProxiedStore(options))
  })
  afterEach(() => close())

  async function put(method: 'put' | 'putFile', key: string, bytes: Buffer) {
    if (method === 'put') return await store.put(key, bytes, pdf(bytes))
    const path = join(spool, randomUUID())
    await writeFile(path, bytes)
    return await store.putFile(key, path, pdf(bytes))
  }

  /** The first requests of a kind meet these faults, the others none. */
  function meet(method: string, ...faults: HttpFault[]) {
    proxy.faults = (request) => (request.method === method ? faults.shift() : undefined)
  }

  test.each(['put', 'putFile'] as const)('%s gets through to a server that was busy at first', async (method) => {
    const [key, bytes] = [newKey(), randomBytes(2_000_000)]
    meet('PUT', 'busy', 'busy')
    expect(await put(method, key, bytes)).toBe('created')
    expect(bytes.equals(await store.read(key))).toBe(true)
  })

  test.each(['put', 'putFile'] as const)('%s whose answer was lost finds its own bytes and calls that done', async (method) => {
    const [key, bytes] = [newKey(), randomBytes(2_000_000)]
    meet('PUT', 'lose-answer')
    expect(await put(method, key, bytes)).toBe('exists')
    expect(bytes.equals(await store.read(key))).toBe(true)
  })

  test('a writer that S3 could not decide about asks again', async () => {
    const [key, bytes] = [newKey(), Buffer.from('x')]
    meet('PUT', 'conflict')
    expect(await put('put', key, bytes)).toBe('created')
  })

  test.each([
    ['busy', 503],
    ['conflict', 409],
  ] as const)('a server that answers nothing but %s is reported as unreachable after four tries', async (fault, status) => {
    const key = newKey()
    meet('PUT', fault, fault, fault, fault, undefined)
    await expect(put('put', key, Buffer.from('x'))).rejects.toMatchObject({
      reason: 'unreachable',
      message: `SEALWRIGHT_S3_ENDPOINT is temporarily unavailable (${status}).`,
    })
    expect(proxy.seen).toHaveLength(4)
    expect(await store.stat(key)).toBeUndefined()
  })

  test('a refusal is not tried again', async () => {
    const bytes = Buffer.from('x')
    await expect(store.put(newKey(), bytes, pdf(Buffer.from('y')))).rejects.toMatchObject({ reason: 'corrupt' })
    expect(proxy.seen).toHaveLength(1)
  })

  test('a body that breaks off is read again', async () => {
    const [key, bytes] = [newKey(), randomBytes(500_000)]
    await put('put', key, bytes)
    meet('GET', 'cut-body')
    expect(bytes.equals(await store.read(key))).toBe(true)
    meet('GET', 'cut-body')
    const memory = Buffer.alloc(600_000)
    expect(bytes.equals(memory.subarray(0, await store.readInto(key, memory)))).toBe(true)
  })

  test('a stream that breaks off fails instead of ending early', async () => {
    const [key, bytes] = [newKey(), randomBytes(500_000)]
    await put('put', key, bytes)
    meet('GET', 'cut-body')
    const { stream } = await store.readStream(key)
    await expect(buffer(stream)).rejects.toThrow()
  })

  test('a list that met a busy server is asked for again, and reported as unreachable after four tries', async () => {
    const [key, bytes] = [newKey(), Buffer.from('x')]
    await put('put', key, bytes)
    const listed = async () => {
      const keys: string[] = []
      for await (const each of store.list(key, new Date(Date.now() + 60_000))) keys.push(each.key)
      return keys
    }
    meet('GET', 'busy', 'lose-answer', 'cut-body')
    expect(await listed()).toEqual([key])
    proxy.seen.length = 0
    meet('GET', 'busy', 'busy', 'busy', 'busy')
    await expect(listed()).rejects.toMatchObject({ name: 'StorageError', reason: 'unreachable' })
    expect(proxy.seen).toHaveLength(4)
  })

  test('other bytes than were stored are not taken for the object', async () => {
    const [key, bytes] = [newKey(), randomBytes(500_000)]
    await put('put', key, bytes)
    meet('GET', 'change-body', 'change-body', 'change-body', 'change-body')
    await expect(store.read(key)).rejects.toMatchObject({ reason: 'corrupt' })
    meet('GET', 'change-body', 'change-body', 'change-body', 'change-body')
    await expect(store.readInto(key, Buffer.alloc(500_000))).rejects.toMatchObject({ reason: 'corrupt' })
  })
})

describe('presigned URLs', () => {
  test('point to the public endpoint, signed for it', async () => {
    const proxy = await startFaultProxy(options.endpoint)
    const store = openS3Store({ ...options, publicEndpoint: proxy.url })
    const [key, bytes] = [newKey(), Buffer.from('contents')]
    await store.put(key, bytes, pdf(bytes))
    const url = await store.presignGet(key, {
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      expiresInSeconds: 60,
      now: new Date(),
    })
    expect(url.startsWith(`${proxy.url}/`)).toBe(true)
    expect(proxy.seen).toEqual([])
    const response = await fetch(url)
    expect(await response.text()).toBe('contents')
    await store.close()
    await proxy.close()
  })
})

test('a certificate of an authority of its own is good for bodies of any size', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-tls-'))
  const tls = await startTlsFront(options.endpoint, folder)
  const store = openS3Store({ ...options, endpoint: tls.url, certificates: [await readFile(tls.caFile, 'utf8')] })
  try {
    for (const length of [10, 3 << 20, 17 << 20]) {
      const [key, bytes] = [newKey(), randomBytes(length)]
      expect(await store.put(key, bytes, pdf(bytes))).toBe('created')
      expect(bytes.equals(await store.read(key))).toBe(true)
    }
  } finally {
    await store.close()
    await tls.close()
    await rm(folder, { recursive: true })
  }
})

describe('large buckets', () => {
  let store: ObjectStore
  let proxy: FaultProxy
  let close: ProxiedStore['close']
  beforeAll(async () => {
    ;({ store, proxy, close } = await openProxiedStore(options))
  })
  afterAll(() => close())

  test('are listed page by page to their end, each page with tries of its own', async () => {
    const prefix = `pages/${randomUUID()}/`
    const bytes = Buffer.from('x')
    const numbers = Array.from({ length: 1_050 }, (_, index) => index)
    for (let at = 0; at < numbers.length; at += 50) {
      await Promise.all(numbers.slice(at, at + 50).map((number) => store.put(`${prefix}${number}`, bytes, pdf(bytes))))
    }
    const faults: HttpFault[] = ['busy', 'broken', undefined, 'busy', 'conflict']
    proxy.faults = () => faults.shift()
    const seen = new Set<string>()
    for await (const { key } of store.list(prefix, new Date(Date.now() + 60_000))) seen.add(key)
    expect(seen.size).toBe(1_050)
    expect(faults).toEqual([])
  })
})
