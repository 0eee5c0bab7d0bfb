// How a download presents itself: saved under the customer's file name, never shown or run in place, never cached (threats T19, T26, T31).
import { create } from 'content-disposition'

// Control characters and line separators break headers; direction marks make a name read backwards (invoice-fdp.exe).
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\ufeff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const SEPARATORS = /[/\\]/g
const NAMELESS = /^[.\s]*$/

/** RFC 6266 header value for saving under `fileName`: composed (NFC), without path separators, control characters and direction marks. */
export function attachmentDisposition(fileName: string): string {
  const name = fileName.toWellFormed().normalize('NFC').replace(UNSHOWABLE, '').replace(SEPARATORS, '_').trim()
  return create(NAMELESS.test(name) ? 'document' : name)
}

/** A copy kept by a browser or proxy would outlive the URL. */
export const DOWNLOAD_CACHE_CONTROL = 'private, no-store'

/** The headers of a download that we serve ourselves. */
export function downloadHeaders(fileName: string, contentType: string): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Disposition': attachmentDisposition(fileName),
    'Cache-Control': DOWNLOAD_CACHE_CONTROL,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}
