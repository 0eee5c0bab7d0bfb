// The {{signerN}} markers as pdf.js finds them, as an independent check of our scanner.
import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export interface PdfjsMarker {
  signOrder: number
  page: number
  /** The first brace's position in default user space; `exact` is false when the marker starts inside a text run. */
  x: number
  y: number
  exact: boolean
}

/** In reading order, pages counted from 0. */
export async function findMarkersWithPdfjs(file: string): Promise<PdfjsMarker[]> {
  const task = getDocument({ data: new Uint8Array(await readFile(file)), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    const markers: PdfjsMarker[] = []
    for (let page = 0; page < document.numPages; page++) {
      const { items } = await (await document.getPage(page + 1)).getTextContent()
      const runs = items.filter((item) => 'str' in item).filter((item) => item.str.trim() !== '')
      markers.push(...findInRuns(runs, page))
    }
    return markers
  } finally {
    await task.destroy()
  }
}

function findInRuns(runs: readonly { str: string; transform: number[] }[], page: number): PdfjsMarker[] {
  const starts: number[] = []
  let text = ''
  for (const run of runs) {
    starts.push(text.length)
    text += run.str
  }
  return [...text.matchAll(/\{\{signer(\d+)\}\}/g)].map((match) => {
    const index = starts.findLastIndex((start) => start <= match.index)
    const [x = NaN, y = NaN] = runs[index]?.transform.slice(4) ?? []
    return { signOrder: Number(match[1]), page, x, y, exact: starts[index] === match.index }
  })
}
