// Finds the markers of a document page by page, so that only one page's content is in memory. Searches page contents and the forms that
// they draw, not annotations, patterns or glyph procedures.
import { chargeDecoded } from '../budget.ts'
import { tooComplex } from '../pdf-error.ts'
import type { PdfPage } from '../read/page-tree.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { newContentReader } from './content-reader.ts'
import { newContentDecoder, pageContent, type PageContent } from './decode-content.ts'
import { newFormVisits } from './form-visits.ts'
import type { Marker } from '../placement/marker-text.ts'
import { locateMarkers } from './locate-markers.ts'
import { showsMarker } from './probe-text.ts'
import { newTextResources } from './text-resources.ts'

/** Each marker costs a drawing, and its page becomes part of every seal. */
const MAX_MARKERS = 1_000

export interface FoundMarkers {
  pageCount: number
  markers: Marker[]
}

/**
 * Walks all pages, which also checks the page tree, calls `visit` for each and lists the markers in order. Throws PdfError: DOCUMENT_INVALID for a broken page
 * tree, DOCUMENT_TOO_COMPLEX.
 */
export function findMarkers(file: PdfFile, visit?: (page: PdfPage, content: PageContent) => void): FoundMarkers {
  const reader = newContentReader()
  const decoder = newContentDecoder(file)
  const resources = newTextResources(file, decoder)
  const visits = newFormVisits()
  const markers: Marker[] = []
  let pageCount = 0
  for (const page of file.pages()) {
    pageCount++
    const content = pageContent(file, decoder, page.dict.entries.get('Contents'))
    visit?.(page, content)
    const { bytes } = content
    const scope = resources.scopeOf(page.attributes.get('Resources'))
    if (!showsMarker(reader, visits, bytes, scope)) continue
    // The second pass is charged again; nothing else limits it.
    chargeDecoded(file.budget, bytes.length)
    markers.push(...locateMarkers(reader, visits, bytes, scope, page.index))
    if (markers.length > MAX_MARKERS) throw tooComplex(`it has more than ${MAX_MARKERS} seal markers`)
  }
  return { pageCount, markers }
}
