// Draws one page of the reader while it is near the viewport, and frees its memory when it is far away.
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type RefObject, useEffect, useState } from 'react'
import { drawPage } from './draw-page.ts'
import type { Size } from './page-size.ts'

export interface PageDrawingOptions {
  pageNumber: number
  readerWidth: number
  zoom: number
  isNear: boolean
}

interface PageElements {
  canvas: RefObject<HTMLCanvasElement | null>
  textLayer: RefObject<HTMLDivElement | null>
}

export interface PageDrawingState {
  size: Size | undefined
  status: 'waiting' | 'drawn' | 'failed'
}

/** Draws the page into the given elements and returns its size and the drawing state. */
export function usePageDrawing(pdf: PDFDocumentProxy, elements: PageElements, options: PageDrawingOptions): PageDrawingState {
  const [state, setState] = useState<PageDrawingState>({ size: undefined, status: 'waiting' })
  const { canvas, textLayer } = elements
  const { pageNumber, readerWidth, zoom, isNear } = options

  useEffect(() => {
    if (!isNear || readerWidth === 0 || !canvas.current || !textLayer.current) return undefined
    let current = true
    const drawing = drawPage(pdf, { pageNumber, readerWidth, zoom, canvas: canvas.current, textLayer: textLayer.current })
    drawing.drawn.then(
      (size) => current && setState({ size, status: 'drawn' }),
      () => current && setState((before) => ({ ...before, status: 'failed' })),
    )
    return () => {
      current = false
      drawing.cancel()
    }
  }, [pdf, canvas, textLayer, pageNumber, readerWidth, zoom, isNear])

  useEffect(() => {
    if (!isNear && canvas.current) canvas.current.width = 0
    if (!isNear) textLayer.current?.replaceChildren()
  }, [isNear, canvas, textLayer])

  return state
}
