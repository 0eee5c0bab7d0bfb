// A store that may turn out to be somebody else's: nothing is read from it or written to it before it is known to be that of the installation.
import type { Core } from '#core/context.ts'
import { claimStore, type StoreClaim } from './claim-store.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import type { ObjectStore, StoredObject } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

export interface VerifiedStore {
  /** The same store, whose calls throw StorageError until it is claimed. A presigned URL alone reads nothing, and the check is that of any store. */
  store: ObjectStore
  /** Makes it the store of the installation, if none is yet. Throws StorageError, and StartupError when another one is. */
  claim(core: Pick<Core, 'database' | 'keys'>): Promise<void>
  /** Rejects with that StartupError, whenever it is found; never resolves. */
  failed: Promise<never>
}

/** `settingsText`: what to look at when it is another one; `whyNot`: what is known to keep it from being claimed. */
export function newVerifiedStore(store: ObjectStore, settingsText: string, whyNot: () => string | undefined): VerifiedStore {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // Whoever does not wait for it has another reason to end.
  failed.catch(() => {})
  let isOurs = false
  const assertOurs = (): void => {
    if (!isOurs) throw new StorageError('unreachable', whyNot() ?? 'The object store has not been verified yet.')
  }
  return {
    store: guardedStore(store, assertOurs),
    async claim(core) {
      const claim = await claimStore({ ...core, storage: store })
      isOurs = claim === 'ours'
      if (claim === 'ours') return
      const other = new StartupError('STORE_OF_OTHERS', `${settingsText}: ${WHOSE[claim]}.`)
      fail(other)
      throw other
    },
    failed,
  }
}

const WHOSE: Readonly<Record<Exclude<StoreClaim, 'ours'>, string>> = {
  elsewhere: 'this installation stores its documents in a different store',
  "another's": 'the store belongs to a different installation',
}

function guardedStore(store: ObjectStore, assertOurs: () => void): ObjectStore {
  const guarded = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    assertOurs()
    return call()
  }
  return {
    putFile: (...args) => guarded(() => store.putFile(...args)),
    put: (...args) => guarded(() => store.put(...args)),
    read: (...args) => guarded(() => store.read(...args)),
    readInto: (...args) => guarded(() => store.readInto(...args)),
    readStream: (...args) => guarded(() => store.readStream(...args)),
    stat: (...args) => guarded(() => store.stat(...args)),
    delete: (...args) => guarded(() => store.delete(...args)),
    async *list(...args): AsyncGenerator<StoredObject> {
      assertOurs()
      yield* store.list(...args)
    },
    dropUnfinished: (...args) => guarded(() => store.dropUnfinished(...args)),
    presignGet: (...args) => store.presignGet(...args),
    check: () => store.check(),
    close: () => store.close(),
  }
}
