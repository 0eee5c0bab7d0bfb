import { setTimeout as delay } from 'node:timers/promises'
import { measuredStore } from '#core/platform/storage/measured-store.ts'
import { objectStoreDuration } from '#core/platform/metrics/metrics.ts'
import type { ObjectStore, StoredObject } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const LONG_MS = 300
const UNREACHABLE = new StorageError('unreachable', 'Nothing listens there.')
const unused = (): never => {
  throw new Error('not for this test')
}

function storeWith(parts: Partial<ObjectStore>): ObjectStore {
  const others = {
    putFile: unused,
    put: unused,
    read: unused,
    readInto: unused,
    readStream: unused,
    stat: unused,
    delete: unused,
  }
  const rest = { list: unused, dropUnfinished: unused, presignGet: unused, check: unused, close: unused }
  return measuredStore({ ...others, ...rest, ...parts })
}

/** Gives two objects, each after a pause, and then fails if it should. */
async function* objects({ pauseMs = 0, fault }: { pauseMs?: number; fault?: Error } = {}): AsyncGenerator<StoredObject> {
  for (const key of ['a', 'b']) {
    await delay(pauseMs)
    yield { key, length: 1, storedAt: new Date(0) }
  }
  if (fault) throw fault
}

async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list('', new Date())) keys.push(key)
  return keys
}

/** The sum or the count of the calls with these labels. */
async function timed(what: 'sum' | 'count', operation: string, outcome: string): Promise<number> {
  const { values } = await objectStoreDuration.get()
  const found = values.find(
    ({ metricName, labels }) =>
      metricName === `sealwright_object_store_duration_seconds_${what}` &&
      labels.operation === operation &&
      labels.outcome === outcome,
  )
  return found?.value ?? 0
}

beforeEach(() => objectStoreDuration.reset())

describe('a list', () => {
  test('is one call, measured by the wait for its objects', async () => {
    expect(await keysOf(storeWith({ list: () => objects({ pauseMs: LONG_MS / 2 }) }))).toEqual(['a', 'b'])
    expect(await timed('count', 'list', 'ok')).toBe(1)
    expect(await timed('sum', 'list', 'ok')).toBeGreaterThan((LONG_MS * 0.9) / 1000)
  })

  test('does not count the processing of its objects, and is counted when it is left early', async () => {
    for await (const _ of storeWith({ list: () => objects() }).list('', new Date())) {
      await delay(LONG_MS)
      break
    }
    expect(await timed('count', 'list', 'ok')).toBe(1)
    expect(await timed('sum', 'list', 'ok')).toBeLessThan(LONG_MS / 2 / 1000)
  })

  test('that fails is counted by its reason', async () => {
    await expect(keysOf(storeWith({ list: () => objects({ fault: UNREACHABLE }) }))).rejects.toBe(UNREACHABLE)
    expect(await timed('count', 'list', 'unreachable')).toBe(1)
    expect(await timed('count', 'list', 'ok')).toBe(0)
  })
})

test('deleting unfinished writes is a call as well', async () => {
  expect(await storeWith({ dropUnfinished: async () => 3 }).dropUnfinished('', new Date())).toBe(3)
  const failing = storeWith({ dropUnfinished: () => Promise.reject(UNREACHABLE) })
  await expect(failing.dropUnfinished('', new Date())).rejects.toBe(UNREACHABLE)
  expect(await timed('count', 'dropUnfinished', 'ok')).toBe(1)
  expect(await timed('count', 'dropUnfinished', 'unreachable')).toBe(1)
})
