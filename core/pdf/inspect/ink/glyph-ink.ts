// The area of every glyph of a text run. The glyphs of a marker are no ink: its seal covers them.
import { INK } from '../../placement/ink-grid.ts'
import type { Box } from '../../read/page-boxes.ts'
import { multiply, transform } from '../matrix.ts'
import type { GlyphListener } from '../show-text.ts'
import type { TextState } from '../text-state.ts'
import { addInk, type InkSheet } from './ink-sheet.ts'

/** A marker's text from the start of its first to the end of its last glyph. */
export interface MarkerText {
  readonly signOrder: number
  readonly x: number
  readonly y: number
  readonly width: number
}

interface Area {
  readonly box: Box
  readonly start: readonly [number, number]
  readonly end: readonly [number, number]
}

export interface GlyphInk {
  /** For the run's report: the glyph that comes next completes a marker. */
  complete(signOrder: number): void
  readonly listener: GlyphListener
  /** Marks what waits for the rest of a marker that did not follow. */
  flush(): void
}

/** Extent of letters below and above the baseline, as shares of the font's height; accents and braces included. */
const [DESCENT, ASCENT] = [0.25, 0.9]
/** Matched characters up to which a marker may restart. */
const BRACES = 2
const INVISIBLE = 3
/** Large pale text is a watermark. */
const WATERMARK_POINTS = 30

export interface GlyphStyle {
  readonly renderingMode: number
  readonly isPale: boolean
}

/** `styleOf` returns the current style; markers are added to `markers`. */
export function newGlyphInk(sheet: InkSheet, state: TextState, styleOf: () => GlyphStyle, markers: MarkerText[]): GlyphInk {
  let pending: Area[] = []
  let completed: number | undefined
  const mark = ({ box }: Area): void => {
    const { renderingMode, isPale } = styleOf()
    const isWatermark = isPale && box[3] - box[1] >= WATERMARK_POINTS
    if (renderingMode === INVISIBLE) sheet.hiddenGlyphs++
    else sheet.shownGlyphs++
    addInk(sheet, box, isWatermark ? INK.DRAWING : INK.TEXT)
  }
  const flushTo = (count: number): void => {
    while (pending.length > count) {
      const oldest = pending.shift()
      if (oldest) mark(oldest)
    }
  }
  return {
    complete(signOrder) {
      completed = signOrder
    },
    listener(displacement, { vertical, height }, isBlank, progress) {
      if (isBlank) return
      pending.push(areaOf(state, displacement, height, vertical))
      if (completed !== undefined) {
        const marker = markerOf(completed, pending)
        if (marker) markers.push(marker)
        pending = []
        completed = undefined
      } else if (progress <= BRACES) flushTo(progress)
    },
    flush: () => flushTo(0),
  }
}

function areaOf({ graphics, line, dx, dy }: TextState, displacement: number, height: number, vertical: boolean): Area {
  const { ctm, fontSize, scaling, rise } = graphics
  const matrix = multiply(line, ctm)
  const y = dy + rise
  const [left, right] = vertical ? [dx - fontSize / 2, dx + fontSize / 2] : [dx, dx + displacement * fontSize * scaling]
  const [bottom, top] = vertical
    ? [y + displacement * fontSize, y]
    : [y - DESCENT * height * fontSize, y + ASCENT * height * fontSize]
  const corners = [
    transform(matrix, left, bottom),
    transform(matrix, right, bottom),
    transform(matrix, left, top),
    transform(matrix, right, top),
  ]
  const end = vertical ? transform(matrix, dx, y + displacement * fontSize) : transform(matrix, right, y)
  return { box: boxOf(corners), start: transform(matrix, dx, y), end }
}

export function boxOf(points: readonly (readonly [number, number])[]): Box {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return [left, bottom, right, top]
}

function markerOf(signOrder: number, glyphs: readonly Area[]): MarkerText | undefined {
  const [first, last] = [glyphs[0], glyphs.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const [[x, y], [endX, endY]] = [first.start, last.end]
  const width = Math.hypot(endX - x, endY - y)
  return Number.isFinite(x + y + width) ? { signOrder, x, y, width } : undefined
}
