// All pages of an open document below each other at one zoom.
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useRef } from 'react'
import type { PageMarker, Size } from './page-size.ts'
import { PdfPage } from './pdf-page.tsx'
import { useElementWidth } from './use-element-width.ts'

export interface PdfPagesProps {
  pdf: PDFDocumentProxy
  firstPage: Size
  markers: readonly PageMarker[]
  zoom: number
  onCurrent: (pageNumber: number) => void
}

/** The pages scroll with the window; only a page zoomed beyond the reader's width scrolls sideways in here. */
export function PdfPages({ pdf, firstPage, markers, zoom, onCurrent }: PdfPagesProps) {
  const pages = useRef<HTMLDivElement>(null)
  const readerWidth = useElementWidth(pages)
  return (
    <div className="pdf-pages" ref={pages}>
      {Array.from({ length: pdf.numPages }, (_, index) => (
        <PdfPage
          key={index}
          pdf={pdf}
          pageNumber={index + 1}
          expectedSize={firstPage}
          markers={markers.filter(({ page }) => page === index + 1)}
          readerWidth={readerWidth}
          zoom={zoom}
          onCurrent={onCurrent}
        />
      ))}
    </div>
  )
}
