// Links that fetch one file for an hour without a token. Made per request, never stored or logged.
import type { Core } from '#core/context.ts'
import { sealedFileName } from './rules.ts'

type Presigner = Pick<Core, 'storage' | 'settings'>

/** A link to the original as it was uploaded. */
export async function presignOriginal(
  core: Presigner,
  document: { filename: string; storageKey: string },
  now: Date,
): Promise<string> {
  return presign(core, document.storageKey, document.filename, now)
}

/** A link to the sealed copy, or null while there is none. */
export async function presignSealed(
  core: Presigner,
  document: { filename: string; sealedKey: string | null },
  now: Date,
): Promise<string | null> {
  return document.sealedKey && presign(core, document.sealedKey, sealedFileName(document.filename), now)
}

function presign({ storage, settings }: Presigner, key: string, fileName: string, now: Date): Promise<string> {
  return storage.presignGet(key, {
    fileName,
    contentType: 'application/pdf',
    expiresInSeconds: settings.presignedUrlTtlSeconds,
    now,
  })
}
