// Loads pdf.js on first need and opens documents with it. Everything it fetches besides the document comes from this site, and
// nothing in it needs eval or WebAssembly, so the strict Content-Security-Policy holds. The legacy build, because signers come with
// phones of every age: the other one needs a browser of this year.
import type * as Library from 'pdfjs-dist'

export type Pdfjs = typeof Library

/** The library, ready to use; loaded once, a later call after a network loss tries again. */
export async function loadPdfjs(): Promise<Pdfjs> {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  pdfjs.GlobalWorkerOptions.workerSrc = `${PDFJS_FOLDER}legacy/build/pdf.worker.min.mjs`
  return pdfjs
}

/** Starts opening a document from a URL that needs no credentials, or from bytes (which it takes over). */
export function openPdf(pdfjs: Pdfjs, source: { url: string } | { data: Uint8Array }): Library.PDFDocumentLoadingTask {
  return pdfjs.getDocument({
    ...source,
    cMapUrl: `${PDFJS_FOLDER}cmaps/`,
    standardFontDataUrl: `${PDFJS_FOLDER}standard_fonts/`,
    wasmUrl: `${PDFJS_FOLDER}wasm/`,
    useWasm: false,
    enableXfa: false,
    withCredentials: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
}
