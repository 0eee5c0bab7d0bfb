// A normalised file must show what the upload showed. Two readers that share no code with ours judge: each finds as many pages, with the same words, in
// both files. Only irregular files are read, so only they bear the cost: about 2 ms for each page and reader.
import { contradictory, type PdfError } from '../pdf-error.ts'
import { readWithPdfium } from './pdfium-words.ts'
import { readWithPdfjs } from './pdfjs-words.ts'

const READERS = [
  ['Chrome', readWithPdfium],
  ['Firefox', readWithPdfjs],
] as const

/**
 * Throws DOCUMENT_INVALID for a difference. `flaw`: why the upload was normalised; also thrown when neither reader opens the upload, because nothing can be
 * compared. A reader that does not open it has no say.
 */
export async function checkSameWords(upload: Buffer, normalised: Buffer, pageCount: number, flaw: PdfError): Promise<void> {
  let comparisons = 0
  for (const [name, read] of READERS) {
    const after = (await read(normalised)) ?? []
    const before = after.length === pageCount ? await read(upload) : after
    const difference = before && differenceOf(before, after, pageCount)
    if (difference !== undefined) throw contradictory(`${flaw.reason || 'it is encrypted'}, and ${name} ${difference}`)
    if (before !== undefined) comparisons++
  }
  if (comparisons === 0) throw flaw
}

function differenceOf(before: readonly string[], after: readonly string[], pageCount: number): string | undefined {
  if (before.length !== pageCount) return `shows ${before.length} page${before.length === 1 ? '' : 's'} instead of ${pageCount}`
  const page = after.findIndex((words, index) => collapsed(words) !== collapsed(before[index]))
  return page < 0 ? undefined : `shows other words on page ${page + 1} than other readers`
}

function collapsed(words: string | undefined): string {
  return (words ?? '').replaceAll(/\s+/g, ' ').trim()
}
