// The self-signed key of an installation before it is stored: a new one, or that of the file in which earlier versions kept it.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { StorelessCore } from '#core/context.ts'
import { writePemKey } from '#core/pades/signing-key.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import type { KeyOpener } from './loading/key-opener.ts'
import type { OpenedKey } from './loading/key-task.ts'
import { makeKey } from './make-key.ts'
import { toOpenedCertificate } from './opened-certificate.ts'
import { listOwnVersions } from './version-store.ts'

export interface SelfSignedKey {
  key: OpenedKey
  /** The file that it was read from. */
  file?: string
}

/** Undefined when the database has what seals. Throws StartupError for a file that cannot be used. Needs the system role. */
export async function prepareSelfSignedKey(
  { database, settings }: Pick<StorelessCore, 'database' | 'settings'>,
  opener: KeyOpener,
  now: Date,
): Promise<SelfSignedKey | undefined> {
  const versions = await listOwnVersions(database)
  const isActive = versions.some(({ state }) => state === 'ACTIVE')
  if (isActive && !versions.some(({ kind, selfMade }) => kind === 'FILE' && selfMade)) return undefined
  const file = path.resolve(settings.dataDir, 'keys', 'signing-key.pem')
  const text = await inDataDir(() => readIfPresent(file))
  if (text !== undefined) return { key: await openPem(file, text, opener, now), file }
  return isActive ? undefined : { key: await newKey(now) }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  })
}

async function openPem(file: string, text: string, opener: KeyOpener, now: Date): Promise<OpenedKey> {
  const answer = await opener.open({ kind: 'PEM', text }, now)
  if (answer.ok) return answer.key
  throw new StartupError('SIGNING_KEY', `${file}: ${answer.message} Restore this file from a backup, or remove it.`)
}

async function newKey(now: Date): Promise<OpenedKey> {
  const made = await makeKey({ now })
  return { pem: writePemKey(made), certificate: toOpenedCertificate(made) }
}
