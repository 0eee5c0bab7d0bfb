// The installation's own key when a process starts to seal: the key file of the settings, or a self-signed key that all workers share.
import type { StorelessCore } from '#core/context.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import type { KeyOpener } from '#core/signing-key/loading/key-opener.ts'
import type { OpenedKey } from '#core/signing-key/loading/key-task.ts'
import { openKeyFile } from '#core/signing-key/open-key-file.ts'
import { prepareSelfSignedKey } from '#core/signing-key/prepare-self-signed-key.ts'
import { registerKeyFile } from '#core/signing-key/register-key-file.ts'
import { storeSelfSignedKey } from '#core/signing-key/store-self-signed-key.ts'

/** Registers the key file and returns its key; without one, stores a self-signed key if the installation has none. Throws StartupError for a file that cannot be
 *  used, and when the signal is aborted. */
export async function provideOwnKey(core: StorelessCore, opener: KeyOpener, signal: AbortSignal): Promise<OpenedKey | undefined> {
  const now = await databaseNow(core.database)
  const file = await openKeyFile(core.settings, opener, now)
  const selfSigned = file ? undefined : await prepareSelfSignedKey(core, opener, now)
  // Opening may take long. A stopped process must not register its key, because the registered key seals.
  signal.throwIfAborted()
  if (file) await registerKeyFile(core, file)
  if (selfSigned) await storeSelfSignedKey(core, selfSigned)
  return file
}
