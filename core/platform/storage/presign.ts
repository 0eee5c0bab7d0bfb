// Presigned URLs of the file store: an HMAC over the whole query, byte for byte, so that a parameter added, removed, repeated or moved makes
// another text. No clock and no store in here.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a presigned URL gives away. */
export interface Download {
  key: string
  fileName: string
  contentType: string
  /** The first moment at which it no longer holds, in whole seconds. */
  expiresAt: Date
}

export type DownloadVerdict = { verdict: 'valid'; download: Download } | { verdict: 'forged' } | { verdict: 'expired' }

const SIGNATURE = '&signature='

/** The part of a presigned URL behind `/downloads/`: key and query. */
export function signDownload(secret: KeyObject, download: Download): string {
  const expires = Math.floor(download.expiresAt.getTime() / 1000)
  // Clients that parse URLs write an apostrophe in a query as %27 (WHATWG URL, special-query percent-encode set).
  const name = encodeURIComponent(download.fileName.toWellFormed()).replaceAll("'", '%27')
  const text = `${download.key}?expires=${expires}&name=${name}&type=${encodeURIComponent(download.contentType)}`
  return text + SIGNATURE + signature(secret, text)
}

/** Reads what `signDownload` made, exactly as it came in: `keyAndQuery` must be the raw request target behind `/downloads/`, not decoded. */
export function readDownload(secret: KeyObject, keyAndQuery: string, now: Date): DownloadVerdict {
  const at = keyAndQuery.lastIndexOf(SIGNATURE)
  const text = keyAndQuery.slice(0, Math.max(at, 0))
  const given = Buffer.from(keyAndQuery.slice(text.length + SIGNATURE.length))
  // The texts are compared, not the bytes: four spellings of base64url mean the same 32 bytes.
  const expected = Buffer.from(signature(secret, text))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { verdict: 'forged' }
  const download = readFields(text)
  return now < download.expiresAt ? { verdict: 'valid', download } : { verdict: 'expired' }
}

/** Reads a text that is known to be ours. */
function readFields(text: string): Download {
  const [key = '', query] = text.split('?')
  const fields = new URLSearchParams(query)
  const expiresAt = new Date(Number(fields.get('expires')) * 1000)
  return { key, fileName: fields.get('name') ?? '', contentType: fields.get('type') ?? '', expiresAt }
}

function signature(secret: KeyObject, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
