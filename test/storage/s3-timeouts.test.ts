// An S3 server that stops responding at any point is abandoned within the store's timeouts, retried, and then reported as unreachable.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import type { S3StoreOptions } from '#core/platform/storage/s3/s3-client.ts'
import { openS3Store } from '#core/platform/storage/s3/s3-store.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBucket } from '../support/servers/object-stores.ts'
import { startDeafPort, startHoldingProxy } from '../support/faults/unresponsive-servers.ts'

const MIB = 1 << 20
const TRIES = 4
const timeouts = { connectMs: 400, idleMs: 400 }
const pdf = (bytes: Buffer) => ({ contentType: 'application/pdf', sha256: createHash('sha256').update(bytes).digest() })
const newKey = () => `documents/${randomUUID()}/original`
const unreachable = { reason: 'unreachable', message: 'SEALWRIGHT_S3_ENDPOINT cannot be reached (TimeoutError).' }

let options: S3StoreOptions
let spool: string
/** On a reliable connection. */
let stored: { key: string; bytes: Buffer }
beforeAll(async () => {
  options = await newBucket()
  spool = await mkdtemp(join(tmpdir(), 'sealwright-spool-'))
  stored = { key: newKey(), bytes: randomBytes(4 * MIB) }
  const store = openS3Store(options)
  await store.put(stored.key, stored.bytes, pdf(stored.bytes))
  await store.close()
})
afterAll(() => rm(spool, { recursive: true }))

/** How long it took to fail as expected. */
async function failing(store: ObjectStore, operation: (store: ObjectStore) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  try {
    await expect(operation(store)).rejects.toMatchObject(unreachable)
    return performance.now() - startedAt
  } finally {
    await store.close()
  }
}

async function spooled(bytes: Buffer): Promise<string> {
  const path = join(spool, randomUUID())
  await writeFile(path, bytes)
  return path
}

test('a server that accepts no connection is abandoned after the connect timeout', async () => {
  await using deaf = await startDeafPort()
  const endpoint = `http://127.0.0.1:${deaf.port}`
  // Far beyond the test's end: only the connect timeout can end it.
  const store = openS3Store({ ...options, endpoint, timeouts: { connectMs: timeouts.connectMs, idleMs: 3_600_000 } })
  expect(await failing(store, (through) => through.stat(stored.key))).toBeGreaterThan(TRIES * timeouts.connectMs)
})

describe('a server that stops responding', () => {
  const holding = (passes: { upBytes: number; downBytes: number }) =>
    startHoldingProxy(Number(new URL(options.endpoint).port), passes)
  // Far beyond the test's end: only the idle timeout can end it.
  const behind = (port: number) =>
    openS3Store({
      ...options,
      endpoint: `http://127.0.0.1:${port}`,
      timeouts: { connectMs: 3_600_000, idleMs: timeouts.idleMs },
    })

  test.concurrent.each<[string, { upBytes: number; downBytes: number }, (store: ObjectStore) => Promise<unknown>]>([
    ['before its response', { upBytes: Infinity, downBytes: 0 }, (through) => through.stat(stored.key)],
    ['in the middle of a body, to who reads it', { upBytes: Infinity, downBytes: MIB }, (through) => through.read(stored.key)],
    [
      'in the middle of a body, to who reads it into memory',
      { upBytes: Infinity, downBytes: MIB },
      (through) => through.readInto(stored.key, Buffer.alloc(5 * MIB)),
    ],
    [
      'in the middle of an upload from memory',
      { upBytes: MIB, downBytes: Infinity },
      (through) => through.put(newKey(), stored.bytes, pdf(stored.bytes)),
    ],
    [
      'in the middle of an upload of a file',
      { upBytes: MIB, downBytes: Infinity },
      async (through) => through.putFile(newKey(), await spooled(stored.bytes), pdf(stored.bytes)),
    ],
    [
      'in the middle of a part',
      { upBytes: MIB, downBytes: Infinity },
      async (through) => {
        const large = randomBytes(17 * MIB)
        return through.putFile(newKey(), await spooled(large), pdf(large))
      },
    ],
  ])('%s is abandoned after the idle timeout', async (_, passes, operation) => {
    await using proxy = await holding(passes)
    expect(await failing(behind(proxy.port), operation)).toBeGreaterThan(TRIES * timeouts.idleMs)
    expect(proxy.connections()).toBeGreaterThanOrEqual(TRIES)
  })

  test('in the middle of a stream fails it, so that a part is not mistaken for the whole', async () => {
    await using proxy = await holding({ upBytes: Infinity, downBytes: MIB })
    const store = behind(proxy.port)
    const { stream } = await store.readStream(stored.key)
    await expect(buffer(stream)).rejects.toThrow(/inactivity/)
    await store.close()
  })
})
