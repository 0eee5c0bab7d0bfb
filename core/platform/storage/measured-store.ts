// An object store whose calls are timed.
import type { ObjectStore, StoredObject } from './object-store.ts'
import { StorageError } from './storage-error.ts'
import { objectStoreDuration } from '#core/platform/metrics/metrics.ts'

/** Wraps a store so that each call is counted under its operation's name. */
export function measuredStore(store: ObjectStore): ObjectStore {
  return {
    putFile: (...args) => timed('put', () => store.putFile(...args)),
    put: (...args) => timed('put', () => store.put(...args)),
    read: (...args) => timed('read', () => store.read(...args)),
    readInto: (...args) => timed('read', () => store.readInto(...args)),
    readStream: (...args) => timed('read', () => store.readStream(...args)),
    stat: (...args) => timed('stat', () => store.stat(...args)),
    delete: (...args) => timed('delete', () => store.delete(...args)),
    list: (...args) => timedList(store.list(...args)),
    dropUnfinished: (...args) => timed('dropUnfinished', () => store.dropUnfinished(...args)),
    presignGet: (...args) => store.presignGet(...args),
    check: () => store.check(),
    close: () => store.close(),
  }
}

async function timed<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
  const end = objectStoreDuration.startTimer({ operation })
  try {
    const result = await call()
    end({ outcome: 'ok' })
    return result
  } catch (error) {
    end({ outcome: outcomeOf(error) })
    throw error
  }
}

/** One measurement per listing: the time spent waiting for objects, without the time spent processing them. */
async function* timedList(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  const startedAt = performance.now()
  let elsewhereMs = 0
  let outcome = 'ok'
  try {
    for await (const object of objects) {
      const givenAt = performance.now()
      try {
        yield object
      } finally {
        elsewhereMs += performance.now() - givenAt
      }
    }
  } catch (error) {
    outcome = outcomeOf(error)
    throw error
  } finally {
    objectStoreDuration.observe({ operation: 'list', outcome }, (performance.now() - startedAt - elsewhereMs) / 1000)
  }
}

function outcomeOf(error: unknown): string {
  return error instanceof StorageError ? error.reason : 'failed'
}
