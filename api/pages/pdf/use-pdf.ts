// Opens one document for as long as a component shows it.
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { loadPdfjs, openPdf } from './open-pdf.ts'
import type { Size } from './page-size.ts'

export type PdfState =
  | { status: 'loading'; loadedPart: number | undefined }
  | { status: 'ready'; pdf: PDFDocumentProxy; firstPage: Size }
  | { status: 'failed' }

const LOADING: PdfState = { status: 'loading', loadedPart: undefined }

/** The document at `url`; `loadedPart` runs from 0 to 1 if its length is known. A new URL starts again. */
export function usePdf(url: string): PdfState {
  const [state, setState] = useState<{ url: string; pdf: PdfState }>({ url, pdf: LOADING })
  useEffect(() => {
    const show = (pdf: PdfState) => setState({ url, pdf })
    return watchPdf(url, show)
  }, [url])
  return state.url === url ? state.pdf : LOADING
}

function watchPdf(url: string, show: (state: PdfState) => void): () => void {
  let task: PDFDocumentLoadingTask | undefined
  let stopped = false
  const open = async () => {
    const pdfjs = await loadPdfjs()
    if (stopped) return
    task = openPdf(pdfjs, { url })
    task.onProgress = ({ loaded, total }: { loaded: number; total: number }) => {
      if (!stopped) show({ status: 'loading', loadedPart: total > 0 ? Math.min(1, loaded / total) : undefined })
    }
    const pdf = await task.promise
    const viewport = (await pdf.getPage(1)).getViewport({ scale: 1 })
    task.onProgress = () => {}
    if (!stopped) show({ status: 'ready', pdf, firstPage: { width: viewport.width, height: viewport.height } })
  }
  show(LOADING)
  open().catch(() => {
    if (!stopped) show({ status: 'failed' })
  })
  return () => {
    stopped = true
    void task?.destroy()
  }
}
