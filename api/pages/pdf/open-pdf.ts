// Loads pdf.js on first need and opens documents with it. All its files come from this site and need neither eval nor WebAssembly, so
// the strict Content-Security-Policy holds. The legacy build, because signers use old phones and the other build needs a
// current browser.
import type * as Library from 'pdfjs-dist'

export type Pdfjs = typeof Library

/** The library, loaded once; after a network failure a later call tries again. */
export async function loadPdfjs(): Promise<Pdfjs> {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  pdfjs.GlobalWorkerOptions.workerSrc = `${PDFJS_FOLDER}legacy/build/pdf.worker.min.mjs`
  return pdfjs
}

/** Starts opening a document from a URL that needs no credentials, or from bytes (ownership is transferred). */
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
