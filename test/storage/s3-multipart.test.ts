// Objects of more than 16 MB, which go to S3 in parts: whole or not at all, never over another, and nothing stays of what fails.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { newS3Client, type S3StoreOptions } from '#core/platform/storage/s3/s3-client.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCarelessS3 } from '../support/faults/careless-s3.ts'
import { type FaultProxy, type HttpFault, SLOW_MS } from '../support/faults/fault-proxy.ts'
import { newBucket } from '../support/servers/object-stores.ts'
import { openProxiedStore, type ProxiedStore } from '../support/faults/proxied-store.ts'

const MIB = 1 << 20
const pdf = (bytes: Buffer) => ({ contentType: 'application/pdf', sha256: createHash('sha256').update(bytes).digest() })
const newKey = () => `documents/${randomUUID()}/original`
const tomorrow = () => new Date(Date.now() + 86_400_000)

let options: S3StoreOptions
let client: S3Client
let proxy: FaultProxy
let store: ObjectStore
let spool: string
beforeAll(async () => {
  options = await newBucket()
  client = newS3Client(options, options.endpoint)
})
afterAll(() => client.destroy())
let close: ProxiedStore['close']
beforeEach(async () => {
  ;({ store, proxy, spool, close } = await openProxiedStore(options))
})
afterEach(() => close())

async function unfinished(prefix: string): Promise<number> {
  const { Uploads: uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: options.bucket, Prefix: prefix }))
  return uploads.length
}

async function put(method: 'put' | 'putFile', key: string, bytes: Buffer, attributes = pdf(bytes)) {
  if (method === 'put') return await store.put(key, bytes, attributes)
  const path = join(spool, randomUUID())
  await writeFile(path, bytes)
  return await store.putFile(key, path, attributes)
}

/** What a request is for. */
const KINDS = {
  look: /^HEAD /,
  begin: /^POST .*[?&]uploads/,
  part: /^PUT .*[?&]partNumber=/,
  complete: /^POST .*[?&]uploadId=/,
  takeBack: /^DELETE .*[?&]uploadId=/,
  read: /^GET /,
} as const

/** The first requests of a kind meet these faults, the others none. */
function meet(kind: keyof typeof KINDS, ...faults: HttpFault[]) {
  proxy.faults = ({ method, url }) => (KINDS[kind].test(`${method} ${url}`) ? faults.shift() : undefined)
}
const seen = (kind: keyof typeof KINDS) => proxy.seen.filter((each) => KINDS[kind].test(each))
/** The numbers of the parts that were sent, in order of size. */
const numbersSent = () =>
  seen('part')
    .map((each) => Number(/partNumber=(\d+)/.exec(each)?.[1]))
    .sort((left, right) => left - right)

describe('an object', () => {
  test.each(['put', 'putFile'] as const)('of 40 MB goes by %s in parts and comes back as it was', async (method) => {
    const [key, bytes] = [newKey(), randomBytes(40 * MIB)]
    expect(await put(method, key, bytes)).toBe('created')
    expect(numbersSent()).toEqual([1, 2, 3, 4, 5])
    expect(await store.stat(key)).toMatchObject({ length: bytes.length })
    expect(bytes.equals(await store.read(key))).toBe(true)
    const memory = Buffer.alloc(bytes.length)
    expect(await store.readInto(key, memory)).toBe(bytes.length)
    expect(bytes.equals(memory)).toBe(true)
    const range = { start: 8 * MIB - 2, end: 16 * MIB + 2 }
    expect(bytes.subarray(range.start, range.end).equals(await store.read(key, range))).toBe(true)
    expect(await unfinished(key)).toBe(0)
  })

  test('goes at once up to 16 MB, and from the next byte on in parts', async () => {
    for (const [length, parts] of [
      [16 * MIB, []],
      [16 * MIB + 1, [1, 2, 3]],
    ] as const) {
      const [key, bytes] = [newKey(), randomBytes(length)]
      proxy.seen.length = 0
      expect(await put('putFile', key, bytes)).toBe('created')
      expect(numbersSent()).toEqual(parts)
      expect(bytes.equals(await store.read(key))).toBe(true)
    }
  })

  test.each(['put', 'putFile'] as const)('whose key is taken is not even sent by %s, and the first stays', async (method) => {
    const [key, first] = [newKey(), Buffer.from('first')]
    await put(method, key, first)
    proxy.seen.length = 0
    expect(await put(method, key, randomBytes(17 * MIB))).toBe('exists')
    expect(proxy.seen).toEqual([expect.stringMatching(KINDS.look)])
    expect(await store.read(key)).toEqual(first)
  })

  test('whose key is taken while its parts are on their way does not replace the first', async () => {
    const [key, bytes] = [newKey(), randomBytes(17 * MIB)]
    meet('part', 'slow', 'slow')
    const late = put('put', key, bytes)
    await expect.poll(() => seen('part')).not.toEqual([])
    const first = Buffer.from('first')
    expect(await put('put', key, first)).toBe('created')
    expect(await late).toBe('exists')
    expect(await store.read(key)).toEqual(first)
    expect(await unfinished(key)).toBe(0)
  })

  test('that four writers race for is made by exactly one', async () => {
    const key = newKey()
    const contents = Array.from({ length: 4 }, () => randomBytes(17 * MIB))
    const outcomes = await Promise.all(contents.map((bytes) => put('put', key, bytes)))
    expect(outcomes.toSorted()).toEqual(['created', 'exists', 'exists', 'exists'])
    expect(contents[outcomes.indexOf('created')]?.equals(await store.read(key))).toBe(true)
    expect(await unfinished(key)).toBe(0)
  })

  test.each(['put', 'putFile'] as const)(
    'with another SHA-256 than promised to %s is refused before a byte is sent',
    async (method) => {
      const key = newKey()
      await expect(put(method, key, randomBytes(17 * MIB), pdf(Buffer.from('promised')))).rejects.toMatchObject({
        reason: 'corrupt',
      })
      expect(seen('begin')).toEqual([])
      expect(await store.stat(key)).toBeUndefined()
    },
  )
})

describe('on a bad line', () => {
  test('a part that a busy server refused, or that was cut, is sent again, and no other', async () => {
    const [key, bytes] = [newKey(), randomBytes(40 * MIB)]
    meet('part', 'busy', undefined, 'cut-upload', 'broken')
    expect(await put('putFile', key, bytes)).toBe('created')
    expect(numbersSent()).toHaveLength(5 + 3)
    expect(bytes.equals(await store.read(key))).toBe(true)
  })

  test.each(['busy', 'cut-upload'] as const)(
    'a part that meets nothing but %s fails the upload, and nothing is left',
    async (fault) => {
      const key = newKey()
      proxy.faults = ({ url }) => (/partNumber=2&/.test(url ?? '') ? fault : undefined)
      await expect(put('putFile', key, randomBytes(40 * MIB))).rejects.toMatchObject({ reason: 'unreachable' })
      expect(numbersSent().filter((number) => number === 2)).toHaveLength(4)
      expect(await store.stat(key)).toBeUndefined()
      expect(await unfinished(key)).toBe(0)
    },
  )

  test('a part that was changed on its way is refused; the other one is waited for, no third is begun, and nothing is left', async () => {
    const key = newKey()
    meet('part', 'change-upload', 'slow')
    const startedAt = performance.now()
    await expect(put('putFile', key, randomBytes(40 * MIB))).rejects.toMatchObject({ reason: 'corrupt' })
    expect(performance.now() - startedAt).toBeGreaterThan(SLOW_MS)
    expect(numbersSent()).toEqual([1, 2])
    expect(await store.stat(key)).toBeUndefined()
    expect(await unfinished(key)).toBe(0)
  })

  test('what failed is taken back also from a server that is busy at first', async () => {
    const key = newKey()
    const faults = { part: ['change-upload'], takeBack: ['busy', 'lose-answer'] } satisfies Partial<
      Record<keyof typeof KINDS, HttpFault[]>
    >
    proxy.faults = ({ method, url }) => {
      const kind = (['part', 'takeBack'] as const).find((each) => KINDS[each].test(`${method} ${url}`))
      return kind && faults[kind].shift()
    }
    await expect(put('put', key, randomBytes(17 * MIB))).rejects.toMatchObject({ reason: 'corrupt' })
    expect(faults.takeBack).toEqual([])
    expect(await unfinished(key)).toBe(0)
  })

  test('a server that could not decide or was busy at the end is asked again', async () => {
    const [key, bytes] = [newKey(), randomBytes(17 * MIB)]
    meet('complete', 'conflict', 'busy')
    expect(await put('put', key, bytes)).toBe('created')
    expect(bytes.equals(await store.read(key))).toBe(true)
  })

  test.each<[string, HttpFault[]]>([
    ['the last answer', ['lose-answer']],
    ['every last answer', ['lose-answer', 'lose-answer', 'lose-answer', 'lose-answer']],
    ['the last answer, and the server has forgotten the upload', ['lose-answer', 'gone']],
    ['the last answer, and the server could not decide', ['lose-answer', 'conflict', 'conflict', 'conflict']],
  ])('who loses %s finds the own bytes and calls that done', async (_, faults) => {
    const [key, bytes] = [newKey(), randomBytes(17 * MIB)]
    meet('complete', ...faults)
    expect(['created', 'exists']).toContain(await put('putFile', key, bytes))
    expect(seen('complete').length).toBeGreaterThanOrEqual(faults.length)
    expect(bytes.equals(await store.read(key))).toBe(true)
    expect(await unfinished(key)).toBe(0)
  })

  test('an upload that the server has forgotten fails as one that may be repeated', async () => {
    const [key, bytes] = [newKey(), randomBytes(17 * MIB)]
    meet('complete', 'gone')
    await expect(put('put', key, bytes)).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'SEALWRIGHT_S3_ENDPOINT dropped an upload before it was complete.',
    })
    expect(await unfinished(key)).toBe(0)
    expect(await put('put', key, bytes)).toBe('created')
  })

  test('a body that breaks off is read again; other bytes than were stored are not taken for the object', async () => {
    const [key, bytes] = [newKey(), randomBytes(17 * MIB)]
    await put('put', key, bytes)
    meet('read', 'cut-body')
    expect(bytes.equals(await store.read(key))).toBe(true)
    const memory = Buffer.alloc(bytes.length)
    for (const reading of [
      () => store.read(key),
      () => store.readInto(key, memory),
      async () => await buffer((await store.readStream(key)).stream),
    ]) {
      meet('read', 'change-body')
      await expect(reading().then(() => 'read')).rejects.toMatchObject({ name: 'StorageError', reason: 'corrupt' })
    }
  })
})

test('a store that is closed stops what is under way and takes back its parts', async () => {
  const key = newKey()
  proxy.faults = ({ url }) => (/partNumber=[34]&/.test(url ?? '') ? 'silent' : undefined)
  const stopped = put('putFile', key, randomBytes(40 * MIB)).catch((error: unknown) => error)
  await expect.poll(numbersSent).toEqual([1, 2, 3, 4])
  await store.close()
  expect(seen('takeBack')).toHaveLength(1)
  expect(await stopped).toMatchObject({ reason: 'unreachable', message: 'The store is being closed.' })
  expect(seen('complete')).toEqual([])
  expect(await unfinished(key)).toBe(0)
})

describe('what dead processes have left', () => {
  const begin = async (key: string, { bucket } = options) =>
    void (await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key })))

  test('goes by age and prefix, and is counted', async () => {
    const prefix = `left/${randomUUID()}/`
    for (const key of ['a', 'a', 'b']) await begin(prefix + key)
    const other = newKey()
    await begin(other)
    expect(await store.dropUnfinished(prefix, new Date(Date.now() - 60_000))).toBe(0)
    expect(await unfinished(prefix)).toBe(3)
    expect(await store.dropUnfinished(prefix, tomorrow())).toBe(3)
    expect([await unfinished(prefix), await unfinished(other)]).toEqual([0, 1])
    expect(await store.dropUnfinished(prefix, tomorrow())).toBe(0)
  })

  test('is found behind pages of young ones', async () => {
    const own = await newBucket()
    const old = ['z1', 'z2', 'z2']
    for (const key of old) await begin(key, own)
    const between = Date.now() + 1_000
    // S3 tells times in whole seconds.
    await expect.poll(() => Date.now()).toBeGreaterThan(between + 1_000)
    const young = Array.from({ length: 1_010 }, (_, index) => `a${index}`)
    for (let at = 0; at < young.length; at += 50) await Promise.all(young.slice(at, at + 50).map((key) => begin(key, own)))
    const sweeper = openS3Store(own)
    expect(await sweeper.dropUnfinished('', new Date(between))).toBe(old.length)
    expect(await sweeper.dropUnfinished('z', tomorrow())).toBe(0)
    await sweeper.close()
  })

  test('may be gone when its turn comes', async () => {
    const prefix = `left/${randomUUID()}/`
    await begin(`${prefix}a`)
    meet('takeBack', 'gone')
    expect(await store.dropUnfinished(prefix, tomorrow())).toBe(1)
  })
})

test('the check at start refuses a store that overwrites by uploads in parts in spite of If-None-Match', async () => {
  await using server = await startCarelessS3()
  const hasty = openS3Store({ ...options, endpoint: server.url })
  try {
    await expect(hasty.check()).rejects.toMatchObject({
      message: expect.stringContaining('overwrites objects in multipart uploads despite If-None-Match'),
    })
  } finally {
    await hasty.close()
  }
})
