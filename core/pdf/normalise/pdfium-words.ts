// What Chrome's PDF reader finds in a file: PDFium as WebAssembly, which reaches nothing but its own memory.

/** The words of every page that can be shown; undefined for a file that PDFium does not open. */
export async function readWithPdfium(bytes: Buffer): Promise<readonly string[] | undefined> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  // A new instance for each file: what a hostile one does to it, or leaves behind, ends with it.
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    return Array.from({ length: document.getPageCount() }, (_, index) => textOf(() => document.getPage(index).getText())).filter(
      (text) => text !== undefined,
    )
  } catch {
    // The package throws plain errors, and traps end the instance.
    return undefined
  }
}

function textOf(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
