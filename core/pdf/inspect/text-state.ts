// The part of the graphics and text state that decides where a glyph stands. ISO 32000-2, 8.4 and 9.3 to 9.4.
// The text matrix itself changes only with Td, Tm and their kin; what strings advance is kept beside it as one displacement.
import { IDENTITY, type Matrix, multiply, transform } from './matrix.ts'
import type { Font } from './text-scope.ts'

/** What q saves and Q restores. */
export interface GraphicsState {
  ctm: Matrix
  font: Font | undefined
  fontSize: number
  characterSpacing: number
  wordSpacing: number
  /** Horizontal scaling, 1 for 100 per cent. */
  scaling: number
  leading: number
  rise: number
}

export interface TextState {
  graphics: GraphicsState
  readonly saved: GraphicsState[]
  /** Text line matrix; the text matrix is this moved by `dx`, `dy`. */
  line: Matrix
  dx: number
  dy: number
}

/** Viewers allow far less; deeper saves are not kept. */
const MAX_SAVED = 1_000

export function newGraphicsState(): GraphicsState {
  const spacing = { characterSpacing: 0, wordSpacing: 0, scaling: 1, leading: 0, rise: 0 }
  return { ctm: IDENTITY, font: undefined, fontSize: 1, ...spacing }
}

export function newTextState(graphics: GraphicsState): TextState {
  return { graphics, saved: [], line: IDENTITY, dx: 0, dy: 0 }
}

export function saveGraphics(state: TextState): void {
  if (state.saved.length < MAX_SAVED) state.saved.push({ ...state.graphics })
}

/** Surplus restores are ignored, as viewers do. */
export function restoreGraphics(state: TextState): void {
  state.graphics = state.saved.pop() ?? state.graphics
}

export function setLine(state: TextState, line: Matrix): void {
  state.line = line
  state.dx = 0
  state.dy = 0
}

/** Td: moves to the start of a line, counted from the start of the current one. */
export function moveLine(state: TextState, x: number, y: number): void {
  setLine(state, multiply([1, 0, 0, 1, x, y], state.line))
}

/** Moves on by a glyph's displacement or a TJ number, both already in text space at size 1 (ISO 32000-2, 9.4.4). */
export function advance(state: TextState, displacement: number, spacing: number, vertical: boolean): void {
  const { fontSize, scaling } = state.graphics
  const distance = displacement * fontSize + spacing
  if (vertical) state.dy += distance
  else state.dx += distance * scaling
}

/** What decides where a glyph stands. Taken for many, worked out for few. */
export interface Glyph {
  readonly ctm: Matrix
  readonly line: Matrix
  readonly dx: number
  readonly dy: number
  /** Along the line and across it; negative where the text runs backwards. */
  readonly width: number
  readonly height: number
}

/** The glyph that comes next; `height` is the font's at size 1. */
export function nextGlyph({ graphics, line, dx, dy }: TextState, height: number): Glyph {
  const { ctm, fontSize, scaling, rise } = graphics
  return { ctm, line, dx, dy: dy + rise, width: fontSize * scaling, height: fontSize * height }
}

/** A place on the page, as in Marker. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly angle: number
  readonly height: number
}

/** Where a glyph stands in default user space. Numbers too large for the arithmetic come out as infinite. */
export function placeOf({ ctm, line, dx, dy, width, height }: Glyph): Place {
  const matrix = multiply(line, ctm)
  const [x, y] = transform(matrix, dx, dy)
  const angle = tidy((Math.atan2(width * matrix[1], width * matrix[0]) * 180) / Math.PI)
  const size = Math.hypot(matrix[2], matrix[3]) * Math.abs(height)
  return { x: tidy(x), y: tidy(y), angle: angle === -180 ? 180 : angle, height: tidy(size) }
}

/** Rounds away the noise of the arithmetic and the minus of -0, so that equal places are equal values. */
function tidy(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}
