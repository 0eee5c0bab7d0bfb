// A store that may belong to another installation: nothing is read or written before it is verified to be ours.
import type { Core } from '#core/context.ts'
import { claimStore, type StoreClaim } from './claim-store.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { ObjectStore, StoredObject } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

export interface VerifiedStore {
  /** Store whose calls throw StorageError until it is claimed. Presigning reads nothing and stays allowed, and so does `check`. */
  store: ObjectStore
  /** Claims the store for the installation, if it has none yet. Throws StorageError, and StartupError when it is another installation's. */
  claim(core: Pick<Core, 'database' | 'keys'>): Promise<void>
  /** Rejects with that StartupError, whenever it is found; never resolves. */
  failed: Promise<never>
}

/** `settingsText`: the settings to check when it is another store; `whyNot`: the known reason why it cannot be claimed yet. */
export function newVerifiedStore(store: ObjectStore, settingsText: string, whyNot: () => string | undefined): VerifiedStore {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  // A caller that does not await it has another reason to end.
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
