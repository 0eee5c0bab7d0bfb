// Shows strings: each code advances the text position by its width and feeds the marker automaton. Positions are recorded for opening
// braces only, the one character that can start a marker.
import { feed, type MarkerMatcher, newMatcher } from './marker-matcher.ts'
import { IGNORED_UNIT, OTHER_UNIT, SEQUENCE_UNIT } from './marker-units.ts'
import { isString, numberAt, OPERAND, type Operands, stringAt } from './operands.ts'
import { codeEndingAt, type Font, type FontMetrics } from './text-scope.ts'
import { advance, type Glyph, nextGlyph, type TextState } from './text-state.ts'

const OPEN_BRACE = 0x7b
const SPACE_CODE = 32

/** Takes a glyph before the text position advances by `displacement`; `progress` is the number of marker characters matched with it. */
export type GlyphListener = (displacement: number, metrics: FontMetrics, isBlank: boolean, progress: number) => void

export interface TextRun {
  readonly state: TextState
  readonly matcher: MarkerMatcher
  /** The last two opening braces; when a marker completes they belong to it. */
  braces: readonly [Glyph | undefined, Glyph | undefined]
  /** Receives a marker's first brace. */
  readonly report: (signOrder: number, glyph: Glyph) => void
  /** Receives every glyph where its area matters. */
  readonly listener: GlyphListener | undefined
}

export function newTextRun(state: TextState, report: TextRun['report'], listener?: GlyphListener): TextRun {
  return { state, matcher: newMatcher(), braces: [undefined, undefined], report, listener }
}

/**
 * Shows the strings among the operands from `first` on and moves by the numbers between them: TJ's array is all operands, Tj's string is
 * the last one. Without a font nothing is shown.
 */
export function showOperands(run: TextRun, operands: Operands, first: number): void {
  const { font } = run.state.graphics
  if (font === undefined) return
  const metrics = font.metrics()
  for (let index = Math.max(first, 0); index < operands.count; index++) {
    if (isString(operands, index)) showString(run, font, metrics, stringAt(operands, index))
    else if (operands.kinds[index] === OPERAND.NUMBER) advance(run.state, -numberAt(operands, index) / 1000, 0, metrics.vertical)
  }
}

function showString(run: TextRun, font: Font, metrics: FontMetrics, bytes: Buffer): void {
  const { codeBytes } = font
  const { characterSpacing, wordSpacing } = run.state.graphics
  for (let at = codeBytes - 1; at < bytes.length; at += codeBytes) {
    const code = codeEndingAt(bytes, at, codeBytes)
    takeCode(run, font, metrics, code)
    run.listener?.(metrics.advance(code), metrics, font.units[code] === IGNORED_UNIT, run.matcher.progress)
    // Word spacing applies to the single-byte code 32 only (ISO 32000-2, 9.3.3).
    const spacing = codeBytes === 1 && code === SPACE_CODE ? characterSpacing + wordSpacing : characterSpacing
    advance(run.state, metrics.advance(code), spacing, metrics.vertical)
  }
}

function takeCode(run: TextRun, font: Font, metrics: FontMetrics, code: number): void {
  const unit = font.units[code] ?? OTHER_UNIT
  if (unit === IGNORED_UNIT) return
  if (unit !== SEQUENCE_UNIT) return takeUnit(run, metrics, unit)
  const text = font.sequences.get(code) ?? ''
  for (let index = 0; index < text.length; index++) takeUnit(run, metrics, text.charCodeAt(index))
}

function takeUnit(run: TextRun, metrics: FontMetrics, unit: number): void {
  if (unit === OPEN_BRACE) run.braces = [run.braces[1], nextGlyph(run.state, metrics.height)]
  const [first] = run.braces
  if (feed(run.matcher, unit) && first !== undefined) run.report(run.matcher.signOrder, first)
}
