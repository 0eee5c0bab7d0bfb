// Opens the PKCS#12 file that the settings name.
import { readFile } from 'node:fs/promises'
import type { Settings } from '#core/platform/config/settings.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import type { KeyOpener } from './loading/key-opener.ts'
import type { OpenedKey } from './loading/key-task.ts'

/** Opens the key on the key thread; undefined without the setting. Throws StartupError when it cannot seal at `now`. */
export async function openKeyFile(
  { signingKeyP12File, signingKeyP12Password }: Pick<Settings, 'signingKeyP12File' | 'signingKeyP12Password'>,
  opener: KeyOpener,
  now: Date,
): Promise<OpenedKey | undefined> {
  if (!signingKeyP12File) return undefined
  const bytes = await readFile(signingKeyP12File).catch((cause: Error) => {
    throw new StartupError('SIGNING_KEY', `SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ${cause.message}.`, cause)
  })
  const answer = await opener.open({ kind: 'P12', bytes, password: signingKeyP12Password?.reveal() ?? '' }, now)
  if (!answer.ok) throw new StartupError('SIGNING_KEY', `SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD: ${answer.message}`)
  return answer.key
}
