// Pages filled from top to bottom. Fonts are embedded once: all pages share the resources of the first.
import { deflateSync } from 'node:zlib'
import { type PDFDocument, PDFName, type PDFPage, PDFRawStream } from 'pdf-lib'
import { openTextPainter } from '#core/appearance/paint-text.ts'
import type { ReportTexts } from '#core/audit-report/locales/texts.ts'
import { type COLOUR, PAGE } from './style.ts'
import { embedForm, type EmbeddedForm } from './embed-form.ts'
import type { TextBlock, TypeSetter } from './text-block.ts'

type Colour = (typeof COLOUR)[keyof typeof COLOUR]

export interface Sheets {
  /** Top of the next element: points from the foot of the page. */
  readonly y: number
  skip(points: number): void
  /** Starts a new page unless this one has `points` left; returns true when it did. */
  ensure(points: number): boolean
  /** Paints with the top of the first line at `top`. */
  text(block: TextBlock, x: number, top: number): Promise<void>
  /** A filled rectangle with its upper left corner at (x, top). */
  fill(colour: Colour, area: { x: number; top: number; width: number; height: number }): void
  /** Embeds an encoded form, to be painted any number of times. */
  embed(encoded: Uint8Array): EmbeddedForm
  /** Paints a form with its upper left corner at (x, top). */
  form(form: EmbeddedForm, area: { x: number; top: number; width: number }): void
  /** Paints on every page, once the page count is known. */
  onEveryPage(paint: (page: { number: number; count: number }) => Promise<void>): Promise<void>
  /** Writes the painted content into the document. */
  finish(): void
}

/** What every part of a report is drawn with. */
export interface Canvas {
  sheets: Sheets
  setter: TypeSetter
  texts: ReportTexts
}

/** Position of the first baseline below the top of a line, as a fraction of the font size. */
const ASCENT = 0.82

/** `seed` determines the names of the embedded fonts. */
export function openSheets(document: PDFDocument, seed: string): Sheets {
  const first = document.addPage([PAGE.width, PAGE.height])
  const painter = openTextPainter(document, first, seed)
  const pages: { page: PDFPage; content: string[] }[] = [{ page: first, content: [] }]
  let current = 0
  let y: number = PAGE.top
  const add = (operators: string) => pages[current]?.content.push(operators)
  return {
    get y() {
      return y
    },
    skip(points) {
      y -= points
    },
    ensure(points) {
      if (y - points >= PAGE.bottom) return false
      pages.push({ page: document.addPage([PAGE.width, PAGE.height]), content: [] })
      current = pages.length - 1
      y = PAGE.top
      return true
    },
    async text({ text, style, lines }, x, top) {
      const at = { x, y: top - style.size * ASCENT, leading: style.leading }
      add(`${style.colour}\n${await painter.paint(text, lines, at)}`)
    },
    fill(colour, { x, top, width, height }) {
      add(`${colour} ${fixed(x)} ${fixed(top - height)} ${fixed(width)} ${fixed(height)} re f\n`)
    },
    embed: (encoded) => embedForm(document, encoded),
    form({ ref, width: ownWidth, height: ownHeight }, { x, top, width }) {
      const scale = width / ownWidth
      const key = first.node.newXObject('Picture', ref).toString()
      add(`q ${fixed(scale)} 0 0 ${fixed(scale)} ${fixed(x)} ${fixed(top - ownHeight * scale)} cm ${key} Do Q\n`)
    },
    async onEveryPage(paint) {
      for (current = 0; current < pages.length; current++) await paint({ number: current + 1, count: pages.length })
    },
    finish() {
      const resources = document.context.register(first.node.normalizedEntries().Resources)
      for (const { page, content } of pages) {
        page.node.set(PDFName.of('Resources'), resources)
        page.node.set(PDFName.of('Contents'), document.context.register(toStream(document, content.join(''))))
      }
    },
  }
}

function toStream(document: PDFDocument, content: string): PDFRawStream {
  const compressed = deflateSync(Buffer.from(content, 'latin1'))
  return PDFRawStream.of(document.context.obj({ Filter: 'FlateDecode', Length: compressed.length }), compressed)
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100)
}
