// Second pass of the marker scan: the position of each marker on the page. Follows the text and graphics state exactly, and runs only on
// content in which the first pass (probe-text.ts) found a marker.
import { tooComplex } from '../pdf-error.ts'
import { type ContentReader, nextOperator, operatorCode, readContent, skipInlineImage } from './content-reader.ts'
import { type FormVisits, formKey, visitForm } from './form-visits.ts'
import type { Marker } from '../placement/marker-text.ts'
import { multiply } from './matrix.ts'
import { lastName, numberFromEnd } from './operands.ts'
import { newTextRun } from './show-text.ts'
import { TEXT_OPERATORS } from './text-operators.ts'
import type { TextScope } from './text-scope.ts'
import { type Glyph, newGraphicsState, newTextState, placeOf, type TextState } from './text-state.ts'

const SET_FONT = operatorCode('Tf')
const DRAW = operatorCode('Do')
const IMAGE_DATA = operatorCode('ID')

/** Two for each signer of the largest envelope: the cost of placing seals around one spot grows with the square of their number. */
const MAX_ON_PAGE = 100
/** Includes markers that are drawn again at the same position. */
const MAX_DRAWN = 10_000

interface Search {
  readonly reader: ContentReader
  readonly visits: FormVisits
  /** Counted from 0. */
  readonly page: number
  readonly markers: Marker[]
  drawn: number
}

/** The markers of the page, each position once, in drawing order. Throws DOCUMENT_TOO_COMPLEX. */
export function locateMarkers(
  reader: ContentReader,
  visits: FormVisits,
  content: Buffer,
  scope: TextScope,
  page: number,
): Marker[] {
  const search: Search = { reader, visits, page, markers: [], drawn: 0 }
  interpret(search, content, scope, newTextState(newGraphicsState()))
  return search.markers
}

function interpret(search: Search, content: Buffer, scope: TextScope, state: TextState): void {
  const { reader } = search
  const { operands } = reader
  const run = newTextRun(state, (signOrder, glyph) => addMarker(search, signOrder, glyph))
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0; operator = nextOperator(reader)) {
    if (operator === SET_FONT) {
      state.graphics.font = scope.font(lastName(operands) ?? '')
      state.graphics.fontSize = numberFromEnd(operands, 0)
    } else if (operator === DRAW) draw(search, scope, state)
    else if (operator === IMAGE_DATA) skipInlineImage(reader)
    else TEXT_OPERATORS.get(operator)?.(run, operands)
  }
}

/** Infinite coordinates are not a position on a page. */
function addMarker(search: Search, signOrder: number, glyph: Glyph): void {
  const { markers, page } = search
  if (++search.drawn > MAX_DRAWN) throw tooComplex(`page ${page + 1} draws more than ${MAX_DRAWN} seal markers`)
  const marker = { signOrder, page, ...placeOf(glyph) }
  const finite = [marker.x, marker.y, marker.angle, marker.height].every(Number.isFinite)
  if (!finite || markers.some((other) => isRepeated(other, marker))) return
  if (markers.length === MAX_ON_PAGE) throw tooComplex(`page ${page + 1} has more than ${MAX_ON_PAGE} seal markers`)
  markers.push(marker)
}

/** Bold text, shadows and text behind a scan draw a marker again within its own height. */
function isRepeated(first: Marker, second: Marker): boolean {
  return first.signOrder === second.signOrder && Math.hypot(first.x - second.x, first.y - second.y) <= first.height
}

function draw(search: Search, scope: TextScope, state: TextState): void {
  const { reader, visits, drawn } = search
  const { graphics } = state
  const form = scope.form(lastName(reader.operands) ?? '')
  if (form === undefined) return
  const key = formKey(form, graphics.font)
  if (key !== undefined && visits.probed.get(key) === false) return
  const inner = newTextState({ ...graphics, ctm: multiply(form.matrix, graphics.ctm) })
  const { bytes, position } = reader
  const read = visitForm(visits, form, (content) => {
    interpret(search, content, form.scope, inner)
    return search.drawn > drawn
  })
  readContent(reader, bytes, position)
  if (key !== undefined && read !== undefined) visits.probed.set(key, read)
}
