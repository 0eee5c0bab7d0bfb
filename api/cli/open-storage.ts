// The object store of the installation, for commands: it is used only if it has the mark of the database.
import type { Core } from '#core/context.ts'
import { checkKey } from '#core/installation/check-key.ts'
import { publicUrlOf } from '#core/installation/open-core.ts'
import { openStore } from '#core/installation/open-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { openLog } from '#core/platform/log.ts'
import { readConfig } from '../config.ts'

export interface CommandStorage extends AsyncDisposable {
  storage: ObjectStore
}

/** Throws StartupError when it cannot be used or belongs to another installation. */
export async function openStorage(core: Pick<Core, 'database' | 'keys'>): Promise<CommandStorage> {
  await checkKey(core)
  await using stack = new AsyncDisposableStack()
  const read = readConfig()
  // Not the address for browsers, which pods may not reach.
  const settings = { ...read, publicUrl: publicUrlOf(read), s3PublicEndpoint: undefined }
  const opened = stack.use(await openStore(settings, core.keys, openLog('error')))
  await opened.claimFor(core)
  const open = stack.move()
  return { storage: opened.store, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
