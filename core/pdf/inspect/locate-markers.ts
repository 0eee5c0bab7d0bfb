// Second pass of the marker scan: where on the page do the markers stand? Follows the text and graphics state exactly, and runs
// only over content in which the first pass (probe-text.ts) has seen a marker.
import { type ContentReader, nextOperator, operatorCode, readContent } from './content-reader.ts'
import { type FormVisits, formKey, visitForm } from './form-visits.ts'
import { endOfInlineImage } from './inline-image.ts'
import type { Marker } from './inspection.ts'
import { multiply } from './matrix.ts'
import { lastName, numberFromEnd } from './operands.ts'
import { newTextRun } from './show-text.ts'
import { TEXT_OPERATORS } from './text-operators.ts'
import type { Form, TextScope } from './text-scope.ts'
import { type Glyph, newGraphicsState, newTextState, placeOf, type TextState } from './text-state.ts'

const SET_FONT = operatorCode('Tf')
const DRAW = operatorCode('Do')
const IMAGE_DATA = operatorCode('ID')

interface Search {
  readonly reader: ContentReader
  readonly visits: FormVisits
  /** Counted from 0. */
  readonly page: number
  /** Forms read on this page already: drawing one again can only repeat its markers. */
  readonly seen: Set<number>
  /** By signOrder. */
  readonly markers: Map<number, Marker>
}

/** The markers that the page shows, the first of each signOrder, in the order of drawing. Throws DOCUMENT_TOO_COMPLEX. */
export function locateMarkers(
  reader: ContentReader,
  visits: FormVisits,
  content: Buffer,
  scope: TextScope,
  page: number,
): Marker[] {
  const search: Search = { reader, visits, page, seen: new Set(), markers: new Map() }
  interpret(search, content, scope, newTextState(newGraphicsState()))
  return [...search.markers.values()]
}

function interpret(search: Search, content: Buffer, scope: TextScope, state: TextState): void {
  const { reader } = search
  const { operands } = reader
  const run = newTextRun(state, (signOrder, glyph) => keep(search, signOrder, glyph))
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0; operator = nextOperator(reader)) {
    if (operator === SET_FONT) {
      state.graphics.font = scope.font(lastName(operands) ?? '')
      state.graphics.fontSize = numberFromEnd(operands, 0)
    } else if (operator === DRAW) draw(search, scope, state)
    else if (operator === IMAGE_DATA) reader.position = endOfInlineImage(reader.bytes, reader.position)
    else TEXT_OPERATORS.get(operator)?.(run, operands)
  }
}

/** Coordinates beyond the range of numbers are no place on any page. */
function keep({ markers, page }: Search, signOrder: number, glyph: Glyph): void {
  if (markers.has(signOrder)) return
  const place = placeOf(glyph)
  const finite = [place.x, place.y, place.angle, place.height].every(Number.isFinite)
  if (finite) markers.set(signOrder, { signOrder, page, ...place })
}

function draw(search: Search, scope: TextScope, state: TextState): void {
  const { reader, visits } = search
  const { graphics } = state
  const form = scope.form(lastName(reader.operands) ?? '')
  if (form === undefined || !mayShowMarker(search, form, formKey(form, graphics.font))) return
  const inner = newTextState({ ...graphics, ctm: multiply(form.matrix, graphics.ctm) })
  const { bytes, position } = reader
  visitForm(visits, form, (content) => {
    interpret(search, content, form.scope, inner)
    return true
  })
  readContent(reader, bytes, position)
}

function mayShowMarker({ visits, seen }: Search, form: Form, key: number | undefined): boolean {
  if (key === undefined) return true
  if (seen.has(key) || visits.probed.get(key) === false) return false
  seen.add(key)
  return true
}
