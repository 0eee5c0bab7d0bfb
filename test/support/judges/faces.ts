// What four readers show of a document, compared with each other, and with what they show after sealing.
import { drawPages, hasAnnotations, READERS, type Reader, readText } from './four-readers.ts'
import { type PageArea, readPageGeometry, toPixelBox } from './page-geometry.ts'
import { shareOfChange } from './pixels.ts'

export interface Faces {
  /** The letters and digits that a reader shows, sorted: readers differ in blanks, in signs and in the order of words. */
  readonly letters: Readonly<Record<Reader, string>>
  /** The text of all pages without blanks. */
  readonly texts: Readonly<Record<Reader, string>>
  /** Poppler and MuPDF read the text of annotations, pdf.js and PDFium only draw it. */
  readonly annotated: boolean
}

export interface Mark {
  readonly area: PageArea
  readonly words: readonly string[]
}

/** Text that a reader adds by itself: MuPDF labels an empty signature field. */
const LABELS: Readonly<Partial<Record<Reader, RegExp>>> = { mupdf: /^SIGN$/gm }

export async function readFaces(file: string): Promise<Faces> {
  const texts = await Promise.all(READERS.map(async (reader) => [reader, await textOf(file, reader)] as const))
  const letters = texts.map(
    ([reader, text]) =>
      [
        reader,
        Array.from(text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
          .sort()
          .join(''),
      ] as const,
  )
  return { texts: faces(texts), letters: faces(letters), annotated: await hasAnnotations(file) }
}

async function textOf(file: string, reader: Reader): Promise<string> {
  const pages = await readText(file, reader)
  return pages
    .join('\n')
    .normalize('NFKC')
    .replaceAll(LABELS[reader] ?? '', '')
    .replaceAll(/\s+/g, '')
}

function faces(entries: readonly (readonly [Reader, string])[]): Record<Reader, string> {
  return Object.fromEntries(entries) as Record<Reader, string>
}

/** How the readers differ in what they show of one document. */
export function differencesOf({ letters: { poppler, mupdf, pdfjs, pdfium }, annotated }: Faces): string[] {
  const pairs = [
    ['pdf.js', pdfjs, 'PDFium', pdfium],
    ['poppler', poppler, 'MuPDF', mupdf],
    ['pdf.js', pdfjs, 'poppler', annotated ? minus(poppler, minus(poppler, pdfjs)) : poppler],
  ] as const
  return pairs.flatMap(([one, its, other, others]) => {
    return its === others ? [] : [`${one} shows "${minus(its, others)}" and ${other} "${minus(others, its)}"`]
  })
}

/** How sealing changed what was there: no reader loses a letter, or finds a word that it did not find before. */
export function changesBySeal(before: Faces, after: Faces, hidden: string): string[] {
  return READERS.flatMap((reader) => {
    const letters = minus(before.letters[reader], after.letters[reader])
    const lost = letters === '' ? [] : [`${reader} lost "${letters}" by the seal`]
    const appeared = after.texts[reader].includes(hidden) && !before.texts[reader].includes(hidden)
    return appeared ? [...lost, `${reader} shows "${hidden}" since the seal`] : lost
  })
}

/** The readers that neither read the words of a seal nor draw anything at its place. */
export async function withoutMark(before: string, after: string, sealed: Faces, { area, words }: Mark): Promise<string[]> {
  const silent = READERS.filter(
    (reader) => !words.every((word) => sealed.texts[reader].includes(word.normalize('NFKC').replaceAll(' ', ''))),
  )
  if (silent.length === 0) return []
  const geometry = (await readPageGeometry(before))[area.page]
  if (geometry === undefined) throw new Error(`the file has no page ${area.page}`)
  const shares = await Promise.all(
    silent.map(async (reader) => {
      const [old, now] = [(await drawPages(before, reader))[area.page], (await drawPages(after, reader))[area.page]]
      return old && now ? shareOfChange(old, now, toPixelBox(area, geometry, now.width, now.height)) : 0
    }),
  )
  return silent.filter((_, index) => (shares[index] ?? 0) < 0.1).map((reader) => `${reader} does not show the seal`)
}

/** The characters of a sorted text that are not in another one, each as often as it is there more. */
function minus(text: string, other: string): string {
  let at = 0
  return Array.from(text)
    .filter((character) => {
      while (at < other.length && (other[at] ?? '') < character) at++
      if (other[at] !== character) return true
      at++
      return false
    })
    .join('')
}
