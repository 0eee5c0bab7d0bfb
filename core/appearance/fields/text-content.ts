// The content of an appearance: the frame, and the text within it, wrapped and as large as it fits.
import { fitLine, fitLines, type FittedLine } from '../fit-text.ts'
import type { TextPainter } from '../paint-text.ts'
import { splitGraphemes } from '../shape-text.ts'
import { contradictory } from '#core/pdf/pdf-error.ts'
import { formatNumber } from '#core/pdf/read/syntax.ts'
import type { MissingAppearance } from '#core/pdf/inspect/faces/appearance-check.ts'
import type { AppearanceStyle } from './appearance-style.ts'

const MARGIN = 2
/** Points; text that does not fit at the least size is cut off by the frame, as in viewers. */
const [USUAL_SIZE, LEAST_SIZE] = [12, 4]
/** Fractions of the text's size: distance of baselines, height of capital letters. */
const [LEADING, CAPITALS] = [1.2, 0.7]
const MAX_LINES = 500

/** Throws DOCUMENT_INVALID for a character that no font has. */
export async function textContent(painter: TextPainter, style: AppearanceStyle, missing: MissingAppearance): Promise<string> {
  const { width, height, frame, textColour } = style
  const lines = missing.value.multiline ? await wrapped(style, missing.value.text) : [await single(style, missing.value.text)]
  if (lines.some(({ shaped }) => shaped.missing > 0))
    throw contradictory(`${missing.reason}, on page ${missing.page.index + 1}, and no font has all its characters`)
  const size = lines[0]?.size ?? USUAL_SIZE
  const first = missing.value.multiline ? height - MARGIN - size : (height - size * CAPITALS) / 2
  const painted: string[] = []
  for (const [index, line] of lines.entries()) {
    const x = MARGIN + (Math.max(0, width - 2 * MARGIN - lengthOf(line)) * missing.value.alignment) / 2
    const text = line.shaped.runs.flatMap(({ glyphs }) => glyphs.map((glyph) => glyph.text)).join('')
    painted.push(await painter.paint(text, [line], { x, y: first - index * size * LEADING, leading: 0 }))
  }
  const clip = `0 0 ${formatNumber(width)} ${formatNumber(height)} re W n`
  return `${frame}/Tx BMC\nq ${clip}\n${textColour}\n${painted.join('')}Q\nEMC\n`
}

/** A tick over the whole box. */
export function buttonContent({ width, height, frame, textColour }: AppearanceStyle): string {
  const at = (x: number, y: number): string => `${formatNumber(x * width)} ${formatNumber(y * height)}`
  const stroke = textColour.toUpperCase()
  return `${frame}q ${stroke} ${formatNumber(Math.min(width, height) / 10)} w ${at(0.2, 0.5)} m ${at(0.4, 0.25)} l ${at(0.8, 0.8)} l S Q\n`
}

function lengthOf({ shaped, size }: FittedLine): number {
  return (shaped.width * size) / 1000
}

async function single({ width, height, textSize }: AppearanceStyle, text: string): Promise<FittedLine> {
  const size = textSize > 0 ? textSize : Math.min(USUAL_SIZE, Math.max(LEAST_SIZE, height * CAPITALS))
  const box = { weight: 400, width: width - 2 * MARGIN, size, smallestSize: 0.5 } as const
  return fitLine(splitGraphemes(text), box)
}

/** The lines of the text, wrapped; smaller where they would be more than fit. */
async function wrapped({ width, height, textSize }: AppearanceStyle, text: string): Promise<FittedLine[]> {
  for (let size = textSize > 0 ? textSize : USUAL_SIZE; ; size *= 0.8) {
    const box = { weight: 400, width: width - 2 * MARGIN, size, smallestSize: size, most: MAX_LINES, breaks: / / } as const
    const lines: FittedLine[] = []
    for (const line of text.split(/\r\n?|\n/)) lines.push(...(await fitLines(splitGraphemes(line), box)))
    if (lines.length * size * LEADING <= height - 2 * MARGIN || size < LEAST_SIZE) return lines
  }
}
