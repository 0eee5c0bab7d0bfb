// Headers of a download: saved under the customer's file name, never rendered by the browser, never cached (threats T19, T26, T31).
import { create } from 'content-disposition'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const SEPARATORS = /[/\\]/g
const NAMELESS = /^[.\s]*$/

/** RFC 6266 header value for saving under `fileName`, as one visible line without path separators. */
export function attachmentDisposition(fileName: string): string {
  const name = toVisibleLine(fileName).replace(SEPARATORS, '_')
  return create(NAMELESS.test(name) ? 'document' : name)
}

/** A copy cached by a browser or proxy would outlive the URL. */
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
