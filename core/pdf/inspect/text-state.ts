// The part of the graphics and text state that determines glyph positions. ISO 32000-2, 8.4 and 9.3 to 9.4. Only operators such as Td and
// Tm change the text matrix; the advance of strings is kept separately as one displacement.
import { IDENTITY, type Matrix, multiply, transform } from './matrix.ts'
import type { Font } from './text-scope.ts'

/** Saved by q and restored by Q. */
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

/** Viewers allow far less; deeper saves are dropped. */
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

/** Surplus restores are ignored, as in viewers. */
export function restoreGraphics(state: TextState): void {
  state.graphics = state.saved.pop() ?? state.graphics
}

export function setLine(state: TextState, line: Matrix): void {
  state.line = line
  state.dx = 0
  state.dy = 0
}

/** Td: moves to the start of a new line, relative to the start of the current one. */
export function moveLine(state: TextState, x: number, y: number): void {
  setLine(state, multiply([1, 0, 0, 1, x, y], state.line))
}

/** Advances by a glyph's displacement or a TJ number, both in text space at size 1 (ISO 32000-2, 9.4.4). */
export function advance(state: TextState, displacement: number, spacing: number, vertical: boolean): void {
  const { fontSize, scaling } = state.graphics
  const distance = displacement * fontSize + spacing
  if (vertical) state.dy += distance
  else state.dx += distance * scaling
}

/** What determines a glyph's position. Recorded for many glyphs, computed for few. */
export interface Glyph {
  readonly ctm: Matrix
  readonly line: Matrix
  readonly dx: number
  readonly dy: number
  /** Along the line and across it; negative where the text runs backwards. */
  readonly width: number
  readonly height: number
}

/** The next glyph; `height` is the font's at size 1. */
export function nextGlyph({ graphics, line, dx, dy }: TextState, height: number): Glyph {
  const { ctm, fontSize, scaling, rise } = graphics
  return { ctm, line, dx, dy: dy + rise, width: fontSize * scaling, height: fontSize * height }
}

/** A position on the page, as in Marker. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly angle: number
  readonly height: number
}

/** The position of a glyph in default user space. Overflowing numbers become infinite. */
export function placeOf({ ctm, line, dx, dy, width, height }: Glyph): Place {
  const matrix = multiply(line, ctm)
  const [x, y] = transform(matrix, dx, dy)
  const angle = roundOff((Math.atan2(width * matrix[1], width * matrix[0]) * 180) / Math.PI)
  const size = Math.hypot(matrix[2], matrix[3]) * Math.abs(height)
  return { x: roundOff(x), y: roundOff(y), angle: angle === -180 ? 180 : angle, height: roundOff(size) }
}

/** Rounds off floating-point noise and the sign of -0, so that equal positions are equal values. */
function roundOff(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0
}
