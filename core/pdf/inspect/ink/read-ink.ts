// What is on the pages where seals may go: a third pass over their content, after the document has been accepted. It cannot refuse a
// document: a page that is too costly to read counts as full.
import { chargeDecoded } from '../../budget.ts'
import { PdfError, tooComplex } from '../../pdf-error.ts'
import { INK, newInkGrid, packInk, type PageInk } from '../../placement/ink-grid.ts'
import { readPageBoxes } from '../../read/page-boxes.ts'
import type { PdfPage } from '../../read/page-tree.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import {
  type ContentReader,
  newContentReader,
  nextOperator,
  operatorCode,
  readContent,
  skipInlineImage,
} from '../content-reader.ts'
import { type ContentDecoder, newContentDecoder, pageContent } from '../decode-content.ts'
import type { Marker } from '../../placement/marker-text.ts'
import { multiply, transform } from '../matrix.ts'
import { lastName, numberFromEnd } from '../operands.ts'
import { newTextRun } from '../show-text.ts'
import { TEXT_OPERATORS } from '../text-operators.ts'
import { newTextResources, type TextResources } from '../text-resources.ts'
import type { Form, TextScope } from '../text-scope.ts'
import { newGraphicsState, newTextState, type TextState } from '../text-state.ts'
import { addAnnotations } from './annotation-ink.ts'
import { boxOf, type MarkerText, newGlyphInk } from './glyph-ink.ts'
import { INK_OPERATORS, newPainter, type Painter, paintImage, type PaintState } from './ink-operators.ts'
import { addInk, finishSheet, type InkSheet, intersect, newInkSheet } from './ink-sheet.ts'

const SET_FONT = operatorCode('Tf')
const DRAW = operatorCode('Do')
const IMAGE_DATA = operatorCode('ID')

/** Viewers stop at similar depths. */
const MAX_DEPTH = 16
/** Decoded forms that are kept for the next time that they are drawn. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024
/** Points. Documents with many pages for seals get coarse grids, because every grid is stored. */
const [CELL, COARSE_CELL, MANY_PAGES] = [2, 4, 50]

interface Reading {
  readonly reader: ContentReader
  readonly sheet: InkSheet
  readonly markers: MarkerText[]
  readonly open: number[]
  readonly forms: Map<number, Buffer | undefined>
  cachedBytes: number
}

export interface DocumentInk {
  readonly ink: PageInk[]
  /** With the width of their text. */
  readonly markers: Marker[]
}

/** Reads the pages with these indexes. Those of `longPages` count as full: a further copy of their content would take too much memory. */
export function readInk(
  file: PdfFile,
  markers: readonly Marker[],
  pages: readonly number[],
  longPages: ReadonlySet<number>,
): DocumentInk {
  const decoder = newContentDecoder(file)
  const resources = newTextResources(file, decoder)
  const reader = newContentReader()
  const texts = new Map<number, MarkerText[]>()
  const ink = pages.map((index) => {
    const page = file.page(index)
    const sheet = newSheet(file, page, pages.length > MANY_PAGES ? COARSE_CELL : CELL)
    const reading = newReading(reader, sheet)
    fillOnExcess(sheet, () => {
      if (longPages.has(index)) throw tooComplex('its content is too long to find free space in it')
      readContents(reading, { file, decoder, resources }, page)
      addAnnotations(file, page, sheet)
    })
    texts.set(index, reading.markers)
    return packInk(index, finishSheet(sheet))
  })
  return { ink, markers: markers.map((marker) => withWidth(marker, texts.get(marker.page) ?? [])) }
}

function newSheet(file: PdfFile, page: PdfPage, cell: number): InkSheet {
  const boxes = readPageBoxes(file, page)
  return newInkSheet(newInkGrid(boxes, cell), boxes.cropBox)
}

function newReading(reader: ContentReader, sheet: InkSheet): Reading {
  return { reader, sheet, markers: [], open: [], forms: new Map(), cachedBytes: 0 }
}

interface Source {
  readonly file: PdfFile
  readonly decoder: ContentDecoder
  readonly resources: TextResources
}

function readContents(reading: Reading, { file, decoder, resources }: Source, page: PdfPage): void {
  const { bytes: content } = pageContent(file, decoder, page.dict.entries.get('Contents'))
  chargeDecoded(file.budget, content.length)
  readPage(reading, content, resources.scopeOf(page.attributes.get('Resources')))
}

function fillOnExcess(sheet: InkSheet, read: () => void): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    sheet.workLeft = 0
  }
}

function withWidth(marker: Marker, texts: readonly MarkerText[]): Marker {
  const text = texts.find(
    ({ signOrder, x, y }) =>
      signOrder === marker.signOrder && Math.hypot(x - marker.x, y - marker.y) <= Math.max(marker.height, 1),
  )
  return text === undefined ? marker : { ...marker, width: Math.round(text.width * 100) / 100 }
}

function readPage(reading: Reading, content: Buffer, scope: TextScope): void {
  const paint = { renderingMode: 0, isPale: false, paleStroke: false, tintFill: false, tintStroke: false }
  interpret(reading, content, scope, newTextState(newGraphicsState()), { ...paint, clip: reading.sheet.area })
}

function interpret(reading: Reading, content: Buffer, scope: TextScope, text: TextState, paint: PaintState): void {
  const { reader, sheet, markers } = reading
  const { operands } = reader
  const painter = newPainter(sheet, text, scope, paint)
  const glyphs = newGlyphInk(sheet, text, () => painter.paint, markers)
  const run = newTextRun(text, (signOrder) => glyphs.complete(signOrder), glyphs.listener)
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0 && sheet.workLeft > 0; operator = nextOperator(reader)) {
    sheet.workLeft--
    if (operator === SET_FONT) {
      text.graphics.font = scope.font(lastName(operands) ?? '')
      text.graphics.fontSize = numberFromEnd(operands, 0)
    } else if (operator === DRAW) draw(reading, painter)
    else if (operator === IMAGE_DATA) {
      paintImage(painter)
      skipInlineImage(reader)
    } else {
      INK_OPERATORS.get(operator)?.(painter, operands)
      TEXT_OPERATORS.get(operator)?.(run, operands)
    }
  }
  glyphs.flush()
}

function draw(reading: Reading, painter: Painter): void {
  const { reader, open } = reading
  const { text, scope, paint } = painter
  const form = scope.form(lastName(reader.operands) ?? '')
  if (form === undefined) return paintImage(painter)
  const inner = newTextState({ ...text.graphics, ctm: multiply(form.matrix, text.graphics.ctm) })
  const clip = intersect(paint.clip, boxOfForm(form, inner) ?? paint.clip)
  if (open.includes(form.id)) return
  const content = open.length < MAX_DEPTH ? contentOf(reading, form) : undefined
  if (content === undefined) return addInk(reading.sheet, clip, INK.DRAWING)
  const { bytes, position } = reader
  open.push(form.id)
  interpret(reading, content, form.scope, inner, { ...paint, clip })
  open.pop()
  readContent(reader, bytes, position)
}

function boxOfForm({ box }: Form, { graphics: { ctm } }: TextState): ReturnType<typeof boxOf> | undefined {
  if (box === undefined) return undefined
  const [left, bottom, right, top] = box
  return boxOf([
    transform(ctm, left, bottom),
    transform(ctm, right, bottom),
    transform(ctm, left, top),
    transform(ctm, right, top),
  ])
}

function contentOf(reading: Reading, form: Form): Buffer | undefined {
  const { forms } = reading
  if (forms.has(form.id)) return forms.get(form.id)
  const content = form.content()
  reading.cachedBytes += content?.length ?? 0
  if (reading.cachedBytes <= MAX_CACHED_BYTES) forms.set(form.id, content)
  return content
}
