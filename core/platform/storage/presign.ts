// Presigned URLs of the file store: an HMAC over the exact bytes of the query, so that a parameter added, removed, repeated or moved invalidates it.
// This file has no clock and no store.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/** What a presigned URL grants. */
export interface Download {
  key: string
  fileName: string
  contentType: string
  /** The first moment at which it is no longer valid, in whole seconds. */
  expiresAt: Date
}

export type DownloadVerdict = { verdict: 'valid'; download: Download } | { verdict: 'forged' } | { verdict: 'expired' }

const SIGNATURE = '&signature='

/** The part of a presigned URL after `/downloads/`: key and query. */
export function signDownload(secret: KeyObject, download: Download): string {
  const expires = Math.floor(download.expiresAt.getTime() / 1000)
  // Clients that parse URLs write an apostrophe in a query as %27 (WHATWG URL, special-query percent-encode set).
  const name = encodeURIComponent(download.fileName.toWellFormed()).replaceAll("'", '%27')
  const text = `${download.key}?expires=${expires}&name=${name}&type=${encodeURIComponent(download.contentType)}`
  return text + SIGNATURE + signature(secret, text)
}

/** Verifies the output of `signDownload` with one of the secrets: `keyAndQuery` must be the raw request target after `/downloads/`, not decoded. */
export function readDownload(secrets: readonly KeyObject[], keyAndQuery: string, now: Date): DownloadVerdict {
  const at = keyAndQuery.lastIndexOf(SIGNATURE)
  const text = keyAndQuery.slice(0, Math.max(at, 0))
  const given = Buffer.from(keyAndQuery.slice(text.length + SIGNATURE.length))
  // Compares the texts, not the bytes: base64url has four spellings of the same 32 bytes.
  const isOurs = secrets.map((secret) => Buffer.from(signature(secret, text))).filter((expected) => isSame(given, expected))
  if (isOurs.length === 0) return { verdict: 'forged' }
  const download = readFields(text)
  return now < download.expiresAt ? { verdict: 'valid', download } : { verdict: 'expired' }
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Parses a verified text. */
function readFields(text: string): Download {
  const [key = '', query] = text.split('?')
  const fields = new URLSearchParams(query)
  const expiresAt = new Date(Number(fields.get('expires')) * 1000)
  return { key, fileName: fields.get('name') ?? '', contentType: fields.get('type') ?? '', expiresAt }
}

function signature(secret: KeyObject, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
