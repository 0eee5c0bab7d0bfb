// Links that download one file for an hour without a token. Created per request, never stored or logged.
import type { Core } from '#core/context.ts'
import { sealedFileName } from './rules.ts'

type Presigner = Pick<Core, 'storage' | 'settings'>

/** The start of a link's validity, and the seconds until the end of the file's retention, if any, which no link outlives. */
export interface Reach {
  now: Date
  endsInSeconds: number | null
}

/** A link to the document that was shown and signed. */
export async function presignOriginal(
  core: Presigner,
  document: { filename: string; storageKey: string },
  until: Reach,
): Promise<string> {
  return presign(core, document.storageKey, document.filename, until)
}

/** A link to the sealed copy, or null while there is none. */
export async function presignSealed(
  core: Presigner,
  document: { filename: string; sealedKey: string | null },
  until: Reach,
): Promise<string | null> {
  return document.sealedKey && presign(core, document.sealedKey, sealedFileName(document.filename), until)
}

function presign(
  { storage, settings }: Presigner,
  key: string,
  fileName: string,
  { now, endsInSeconds }: Reach,
): Promise<string> {
  return storage.presignGet(key, {
    fileName,
    contentType: 'application/pdf',
    expiresInSeconds: Math.max(1, Math.floor(Math.min(settings.presignedUrlTtlSeconds, endsInSeconds ?? Infinity))),
    now,
  })
}
