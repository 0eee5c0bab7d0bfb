// How an annotation looks by its own entries: size, colours, border and rotation (ISO 32000-2, 12.5.6.19 and 12.7.4.3).
import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import { formatNumber } from '../read/syntax.ts'
import type { MissingAppearance } from '../inspect/faces/appearance-check.ts'

export interface AppearanceStyle {
  /** Of the box in which the text runs, points. */
  readonly width: number
  readonly height: number
  readonly matrix: readonly number[]
  /** Operators that fill the box and draw its border; empty for neither. */
  readonly frame: string
  readonly textColour: string
  /** 0: as fits. */
  readonly textSize: number
}

const FILL = ['', 'g', '', 'rg', 'k']
const STROKE = ['', 'G', '', 'RG', 'K']
const COLOUR_OPERANDS = new Map([
  ['g', 1],
  ['rg', 3],
  ['k', 4],
])
const LARGEST_SIZE = 200

export function readAppearanceStyle(
  annotation: PDFDict,
  { kind, value }: Pick<MissingAppearance, 'kind' | 'value'>,
): AppearanceStyle {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(annotation, 'Rect')
  const [across, up] = [Math.abs(right - left), Math.abs(top - bottom)]
  const look = annotation.lookup(PDFName.of('MK'))
  const entries = look instanceof PDFDict ? look : undefined
  const turn = (((numberIn(entries, 'R') ?? 0) % 360) + 360) % 360
  const sideways = turn === 90 || turn === 270
  const [width, height] = sideways ? [up, across] : [across, up]
  const ground = kind === 'note' ? numbersIn(annotation, 'C') : numbersIn(entries, 'BG')
  const line = numbersIn(entries, 'BC')
  const border = annotation.lookup(PDFName.of('BS'))
  const lineWidth = (border instanceof PDFDict ? numberIn(border, 'W') : undefined) ?? 1
  const frame = [
    paint(ground, FILL, `0 0 ${formatNumber(width)} ${formatNumber(height)} re f`),
    lineWidth > 0
      ? paint(
          line,
          STROKE,
          `${formatNumber(lineWidth)} w ${formatNumber(lineWidth / 2)} ${formatNumber(lineWidth / 2)} ${formatNumber(width - lineWidth)} ${formatNumber(height - lineWidth)} re S`,
        )
      : '',
  ].join('')
  return { width, height, matrix: matrixOf(turn, across, up), frame, ...textStyle(value.appearance) }
}

function matrixOf(turn: number, across: number, up: number): number[] {
  if (turn === 90) return [0, 1, -1, 0, across, 0]
  if (turn === 180) return [-1, 0, 0, -1, across, up]
  return turn === 270 ? [0, -1, 1, 0, 0, up] : [1, 0, 0, 1, 0, 0]
}

/** Size and colour of a default appearance string; its font may lack characters. */
function textStyle(appearance: string): Pick<AppearanceStyle, 'textColour' | 'textSize'> {
  const tokens = appearance.split(/\s+/)
  const size = Math.abs(Number(tokens[tokens.indexOf('Tf') - 1]))
  const operator = tokens.findLast((token) => COLOUR_OPERANDS.has(token)) ?? ''
  const at = tokens.lastIndexOf(operator)
  const numbers = tokens.slice(Math.max(0, at - (COLOUR_OPERANDS.get(operator) ?? 0)), Math.max(0, at)).map(Number)
  const isColour = numbers.length > 0 && numbers.length === COLOUR_OPERANDS.get(operator) && numbers.every(Number.isFinite)
  return {
    textColour: isColour ? `${numbers.map(formatNumber).join(' ')} ${operator}` : '0 g',
    textSize: Number.isFinite(size) ? Math.min(size, LARGEST_SIZE) : 0,
  }
}

function paint(colour: readonly number[], operators: readonly string[], shape: string): string {
  const operator = operators[colour.length] ?? ''
  return operator === '' ? '' : `${colour.map(formatNumber).join(' ')} ${operator} ${shape}\n`
}

function numbersIn(dict: PDFDict | undefined, key: string): number[] {
  const list = dict?.lookup(PDFName.of(key))
  if (!(list instanceof PDFArray)) return []
  return Array.from({ length: Math.min(list.size(), 4) }, (_, index) => {
    const item = list.lookup(index)
    return item instanceof PDFNumber ? item.asNumber() : 0
  })
}

function numberIn(dict: PDFDict | undefined, key: string): number | undefined {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFNumber ? value.asNumber() : undefined
}
