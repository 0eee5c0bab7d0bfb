// Draws one page onto a canvas and lays its text over it, so that it can be selected and read aloud.
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { loadPdfjs } from './open-pdf.ts'
import { canvasScale, type Size, shownSize } from './page-size.ts'

export interface PageTarget {
  pageNumber: number
  readerWidth: number
  zoom: number
  canvas: HTMLCanvasElement
  textLayer: HTMLElement
}

export interface PageDrawing {
  /** Resolves with the page's size in PDF units once it is on screen; rejects if it can't be drawn or was cancelled. */
  drawn: Promise<Size>
  cancel(): void
}

/** Starts drawing; `cancel` stops it at any time and leaves the elements to the next drawing. */
export function drawPage(pdf: PDFDocumentProxy, target: PageTarget): PageDrawing {
  const cancellation = new AbortController()
  return { drawn: draw(pdf, target, cancellation.signal), cancel: () => cancellation.abort() }
}

async function draw(pdf: PDFDocumentProxy, target: PageTarget, signal: AbortSignal): Promise<Size> {
  const [pdfjs, page] = await Promise.all([loadPdfjs(), pdf.getPage(target.pageNumber)])
  signal.throwIfAborted()
  const natural = page.getViewport({ scale: 1 })
  const shown = shownSize(natural, target.readerWidth, target.zoom)
  const scale = shown.width / natural.width
  await paint(page, target.canvas, { scale: scale * canvasScale(shown, window.devicePixelRatio), signal })

  target.textLayer.replaceChildren()
  target.textLayer.style.setProperty('--total-scale-factor', String(scale))
  const textLayer = new pdfjs.TextLayer({
    textContentSource: page.streamTextContent({ includeMarkedContent: true }),
    container: target.textLayer,
    viewport: page.getViewport({ scale }),
  })
  signal.addEventListener('abort', () => textLayer.cancel())
  await textLayer.render()
  return { width: natural.width, height: natural.height }
}

// Drawn off-screen and then copied at once: while zooming the old image stays visible instead of a white flash.
async function paint(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  options: { scale: number; signal: AbortSignal },
): Promise<void> {
  const viewport = page.getViewport({ scale: options.scale })
  const aside = document.createElement('canvas')
  aside.width = Math.floor(viewport.width)
  aside.height = Math.floor(viewport.height)
  const task = page.render({ canvas: aside, viewport })
  options.signal.addEventListener('abort', () => task.cancel())
  await task.promise
  options.signal.throwIfAborted()
  canvas.width = aside.width
  canvas.height = aside.height
  canvas.getContext('2d')?.drawImage(aside, 0, 0)
  // Phones free canvas memory late; an empty canvas frees it now.
  aside.width = 0
}
