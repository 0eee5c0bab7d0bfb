// The operators that paint, and the state that decides whether paint shows: path, clip box, pale colours. Text is in glyph-ink.ts.
import { INK } from '../../placement/ink-grid.ts'
import type { Box } from '../../read/page-boxes.ts'
import { operatorCode } from '../content-reader.ts'
import { transform } from '../matrix.ts'
import { lastName, numberFromEnd, type Operands } from '../operands.ts'
import type { TextScope } from '../text-scope.ts'
import type { TextState } from '../text-state.ts'
import { boxOf, type GlyphStyle } from './glyph-ink.ts'
import { addInk, type InkSheet, intersect, isBackground } from './ink-sheet.ts'
import { closePath, curveTo, lineTo, moveTo, newPath, type Path, pathBox, rectangle } from './path.ts'

/** Saved by q and restored by Q. */
export interface PaintState extends GlyphStyle {
  /** Contains the clipping path. */
  readonly clip: Box
  readonly paleStroke: boolean
  /** Whether the colour space is one of tints, in which no colour counts as pale. */
  readonly tintFill: boolean
  readonly tintStroke: boolean
}

export interface Painter {
  readonly sheet: InkSheet
  readonly text: TextState
  readonly scope: TextScope
  paint: PaintState
  readonly saved: PaintState[]
  path: Path
  clips: boolean
}

type Operator = (painter: Painter, operands: Operands) => void

/** Share of white: paler fills are paper with a tint, on which a seal is readable. */
const PALE = 0.8

export function newPainter(sheet: InkSheet, text: TextState, scope: TextScope, paint: PaintState): Painter {
  return { sheet, text, scope, paint, saved: [], path: newPath(), clips: false }
}

/** Operators by their code. */
export const INK_OPERATORS: ReadonlyMap<number, Operator> = new Map(
  Object.entries<Operator>({
    // Runs before the operator of the text state, which has the limit.
    q: ({ saved, paint, text }) => {
      if (saved.length === text.saved.length) saved.push(paint)
    },
    Q: (painter) => {
      painter.paint = painter.saved.pop() ?? painter.paint
    },
    m: (painter, operands) => moveTo(painter.path, painter.text.graphics.ctm, ...pair(operands, 0)),
    l: (painter, operands) => lineTo(painter.path, painter.text.graphics.ctm, ...pair(operands, 0)),
    c: curve(3),
    v: curve(2),
    y: ({ path, text }, operands) => curveTo(path, text.graphics.ctm, [pair(operands, 2), pair(operands, 0), pair(operands, 0)]),
    h: ({ path }) => closePath(path),
    re: ({ path, text }, operands) => rectangle(path, text.graphics.ctm, [...pair(operands, 2), ...pair(operands, 0)]),
    W: clips,
    'W*': clips,
    n: endPath,
    ...paths('S', true, false),
    ...paths('s', true, false),
    ...paths('f', false, true),
    ...paths('F', false, true),
    ...paths('f*', false, true),
    ...paths('B', true, true),
    ...paths('B*', true, true),
    ...paths('b', true, true),
    ...paths('b*', true, true),
    sh: ({ sheet, paint }) => {
      if (!isBackground(sheet, paint.clip)) addInk(sheet, intersect(paint.clip, sheet.area), INK.DRAWING)
    },
    Tr: (painter, operands) => setPaint(painter, { renderingMode: numberFromEnd(operands, 0) }),
    g: deviceFill,
    rg: deviceFill,
    k: deviceFill,
    sc: fillColour,
    scn: fillColour,
    cs: (painter, operands) => setPaint(painter, { isPale: false, tintFill: isTint(painter, operands) }),
    G: deviceStroke,
    RG: deviceStroke,
    K: deviceStroke,
    SC: strokeColour,
    SCN: strokeColour,
    CS: (painter, operands) => setPaint(painter, { paleStroke: false, tintStroke: isTint(painter, operands) }),
  }).map(([name, operator]) => [operatorCode(name), operator]),
)

/** Marks the unit square as an image. */
export function paintImage({ sheet, text, paint }: Painter): void {
  const { ctm } = text.graphics
  const square = boxOf([transform(ctm, 0, 0), transform(ctm, 1, 0), transform(ctm, 0, 1), transform(ctm, 1, 1)])
  addInk(sheet, intersect(square, paint.clip), INK.IMAGE)
}

function paths(name: string, strokes: boolean, fills: boolean): Record<string, Operator> {
  const closes = name.startsWith('s') || name.startsWith('b')
  return {
    [name]: (painter) => {
      if (closes) closePath(painter.path)
      if (fills && !painter.paint.isPale) fill(painter)
      if (strokes && !painter.paint.paleStroke) stroke(painter)
      endPath(painter)
    },
  }
}

function fill({ sheet, path, paint }: Painter): void {
  for (const line of path.lines) {
    const box = intersect(boxOf(line), paint.clip)
    if (!isBackground(sheet, box)) addInk(sheet, box, INK.DRAWING)
  }
}

// Cell by cell along each segment: the box of a diagonal is mostly empty.
function stroke({ sheet, path, paint }: Painter): void {
  const { cell } = sheet.grid
  for (const line of path.lines) {
    for (let index = 1; index < line.length && sheet.workLeft > 0; index++) {
      const [[x0, y0], [x1, y1]] = [line[index - 1] ?? [NaN, NaN], line[index] ?? [NaN, NaN]]
      if (x0 === x1 || y0 === y1)
        addInk(
          sheet,
          intersect(
            boxOf([
              [x0, y0],
              [x1, y1],
            ]),
            paint.clip,
          ),
          INK.DRAWING,
        )
      else markDiagonal(sheet, paint.clip, [x0, y0, x1 - x0, y1 - y0], Math.hypot(x1 - x0, y1 - y0) / cell)
    }
  }
}

function markDiagonal(sheet: InkSheet, clip: Box, [x, y, dx, dy]: readonly number[] & { length: 4 }, cells: number): void {
  // A longer line than the page can show is drawn coarsely.
  const steps = Math.min(Math.ceil(cells), 5_000)
  for (let step = 0; step <= steps; step++) {
    const [atX, atY] = [(x ?? 0) + ((dx ?? 0) * step) / steps, (y ?? 0) + ((dy ?? 0) * step) / steps]
    addInk(sheet, intersect([atX, atY, atX, atY], clip), INK.DRAWING)
  }
}

function clips(painter: Painter): void {
  painter.clips = true
}

function endPath(painter: Painter): void {
  if (painter.clips) setPaint(painter, { clip: intersect(painter.paint.clip, pathBox(painter.path)) })
  painter.clips = false
  painter.path = newPath()
}

function curve(points: 2 | 3): Operator {
  return ({ path, text }, operands) => {
    const controls = Array.from({ length: points }, (_, index) => pair(operands, (points - 1 - index) * 2))
    curveTo(path, text.graphics.ctm, controls)
  }
}

/** Two numbers, followed by `back` more operands. */
function pair(operands: Operands, back: number): [number, number] {
  return [numberFromEnd(operands, back + 1), numberFromEnd(operands, back)]
}

function deviceFill(painter: Painter, operands: Operands): void {
  setPaint(painter, { isPale: isPale(operands), tintFill: false })
}

function deviceStroke(painter: Painter, operands: Operands): void {
  setPaint(painter, { paleStroke: isPale(operands), tintStroke: false })
}

function fillColour(painter: Painter, operands: Operands): void {
  setPaint(painter, { isPale: !painter.paint.tintFill && isPale(operands) })
}

function strokeColour(painter: Painter, operands: Operands): void {
  setPaint(painter, { paleStroke: !painter.paint.tintStroke && isPale(operands) })
}

function isTint({ scope }: Painter, operands: Operands): boolean {
  return scope.isTint(lastName(operands) ?? '')
}

function isPale(operands: Operands): boolean {
  if (lastName(operands) !== undefined) return false
  const component = (back: number) => numberFromEnd(operands, back) ?? 0
  const luminance = LUMINANCE.get(operands.count)
  return luminance !== undefined && luminance(component) >= PALE
}

/** Luminance of grey, RGB and CMYK, by the number of components, which are read from the last one back. */
const LUMINANCE = new Map<number, (component: (back: number) => number) => number>([
  [1, (at) => at(0)],
  [3, (at) => 0.3 * at(2) + 0.59 * at(1) + 0.11 * at(0)],
  [4, (at) => (1 - at(0)) * (1 - 0.3 * at(3) - 0.59 * at(2) - 0.11 * at(1))],
])

function setPaint(painter: Painter, change: Partial<PaintState>): void {
  painter.paint = { ...painter.paint, ...change }
}
