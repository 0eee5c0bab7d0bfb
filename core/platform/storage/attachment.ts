// Headers of a download: saved under the customer's file name, never rendered by the browser, never cached (threats T19, T26, T31).
import { create } from 'content-disposition'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const SEPARATORS = /[/\\]/g
const NAMELESS = /^[.\s]*(?:\.pdf)?$/i
const PDF_EXTENSION = /\.pdf$/i
const MAX_STEM_BYTES = 251
/** Joiners, fillers and other characters without a glyph (Unicode 5.21). */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/**
 * RFC 6266 header value for saving under `fileName`, as one visible line without path separators and with the extension of a PDF. Nothing in the name can
 * hide that extension.
 */
export function attachmentDisposition(fileName: string, contentType: string): string {
  const visible = toVisibleLine(fileName.replaceAll(INVISIBLE, '')).replaceAll(SEPARATORS, '_')
  const name = NAMELESS.test(visible) ? 'document' : visible
  return create(contentType === 'application/pdf' ? withExtension(name) : name)
}

/** Cut where file systems would cut it, which would lose the extension. */
function withExtension(name: string): string {
  const stem = Buffer.from(name.replace(PDF_EXTENSION, ''))
  if (stem.length <= MAX_STEM_BYTES) return PDF_EXTENSION.test(name) ? name : `${name}.pdf`
  return `${new TextDecoder().decode(stem.subarray(0, MAX_STEM_BYTES), { stream: true })}.pdf`
}

/** A copy cached by a browser or proxy would outlive the URL. */
export const DOWNLOAD_CACHE_CONTROL = 'private, no-store'

/** The headers of a download that we serve ourselves. */
export function downloadHeaders(fileName: string, contentType: string): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Disposition': attachmentDisposition(fileName, contentType),
    'Cache-Control': DOWNLOAD_CACHE_CONTROL,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}
