// How an annotation looks by its own entries: size, colours, border and rotation (ISO 32000-2, 12.5.6.19 and 12.7.4.3).
import { PDFArray, PDFDict, PDFName, PDFNumber } from 'pdf-lib'
import { formatNumber } from '#core/pdf/read/syntax.ts'
import type { MissingAppearance } from '#core/pdf/inspect/faces/appearance-check.ts'

export interface AppearanceStyle {
  /** Size of the box in which the text runs, in points. */
  readonly width: number
  readonly height: number
  readonly matrix: readonly number[]
  /** Operators that fill the box and draw its border; empty for neither. */
  readonly frame: string
  readonly textColour: string
  /** 0: as fits. */
  readonly textSize: number
}

export const FILL = ['', 'g', '', 'rg', 'k']
export const STROKE = ['', 'G', '', 'RG', 'K']
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
  const look = dictIn(annotation, 'MK')
  const turn = ((numberIn(look, 'R', 0) % 360) + 360) % 360
  const [width, height] = turn % 180 === 90 ? [up, across] : [across, up]
  const ground = kind === 'note' ? numbersIn(annotation, 'C') : numbersIn(look, 'BG')
  const lineWidth = numberIn(dictIn(annotation, 'BS'), 'W', 1)
  const border = kind === 'stamp' ? [1, 0, 0] : numbersIn(look, 'BC')
  const frame = paint(ground, FILL, `0 0 ${written(width, height)} re f`) + borderOf(border, lineWidth, width, height)
  return { width, height, matrix: matrixOf(turn, across, up), frame, ...textStyle(value.appearance) }
}

function borderOf(colour: readonly number[], lineWidth: number, width: number, height: number): string {
  if (lineWidth <= 0) return ''
  const box = written(lineWidth / 2, lineWidth / 2, width - lineWidth, height - lineWidth)
  return paint(colour, STROKE, `${written(lineWidth)} w ${box} re S`)
}

export function written(...numbers: number[]): string {
  return numbers.map(formatNumber).join(' ')
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

export function paint(colour: readonly number[], operators: readonly string[], shape: string): string {
  const operator = operators[colour.length] ?? ''
  return operator === '' ? '' : `${colour.map(formatNumber).join(' ')} ${operator} ${shape}\n`
}

export function numbersIn(dict: PDFDict | undefined, key: string, most = 4): number[] {
  const list = dict?.lookup(PDFName.of(key))
  if (!(list instanceof PDFArray)) return []
  return Array.from({ length: Math.min(list.size(), most) }, (_, index) => {
    const item = list.lookup(index)
    return item instanceof PDFNumber ? item.asNumber() : 0
  })
}

export function numberIn(dict: PDFDict | undefined, key: string, absent: number): number {
  const value = dict?.lookup(PDFName.of(key))
  return value instanceof PDFNumber ? value.asNumber() : absent
}

export function dictIn(dict: PDFDict, key: string): PDFDict | undefined {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFDict ? value : undefined
}
