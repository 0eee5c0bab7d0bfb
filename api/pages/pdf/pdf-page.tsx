// One page in the reader: a placeholder of the right size, replaced by the drawn page and its text near the viewport.
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'
import { PageMarkers } from './page-markers.tsx'
import { type PageMarker, type Size, shownSize } from './page-size.ts'
import { useIntersection } from './use-intersection.ts'
import { usePageDrawing } from './use-page-drawing.ts'

export interface PdfPageProps {
  pdf: PDFDocumentProxy
  pageNumber: number
  /** The size to assume until the page is opened, in PDF units. */
  expectedSize: Size
  markers: readonly PageMarker[]
  readerWidth: number
  zoom: number
  onCurrent: (pageNumber: number) => void
}

/** Calls `onCurrent` when it reaches the middle of the viewport. */
export function PdfPage({ pdf, pageNumber, expectedSize, markers, readerWidth, zoom, onCurrent }: PdfPageProps) {
  const frame = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const textLayer = useRef<HTMLDivElement>(null)
  const isNear = useIntersection(frame, '100% 0px')
  const isCurrent = useIntersection(frame, '-50% 0px')
  const drawing = usePageDrawing(pdf, { canvas, textLayer }, { pageNumber, readerWidth, zoom, isNear })

  useEffect(() => {
    if (isCurrent) onCurrent(pageNumber)
  }, [isCurrent, onCurrent, pageNumber])

  return (
    <section
      ref={frame}
      className="pdf-page"
      data-drawn-page={drawing.status === 'drawn' ? pageNumber : undefined}
      aria-label={texts.reader.pageLabel(pageNumber, pdf.numPages)}
      style={shownSize(drawing.size ?? expectedSize, Math.max(readerWidth, 1), zoom)}
    >
      <canvas ref={canvas} className="pdf-page-picture" aria-hidden="true" />
      <div ref={textLayer} className="pdf-text" />
      <PageMarkers markers={markers} page={drawing.size ?? expectedSize} />
      {drawing.status === 'failed' && <p className="pdf-page-failed">{texts.reader.pageFailed(pageNumber)}</p>}
    </section>
  )
}
