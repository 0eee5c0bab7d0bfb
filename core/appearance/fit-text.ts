// Fits text of any length into a line: shrink, then wrap, then truncate with an ellipsis. The full text stays in the line's ActualText.
import { shapeText, type ShapedText } from './shape-text.ts'
import type { Weight } from './seal-fonts.ts'

export interface LineBox {
  weight: Weight
  /** Points. */
  width: number
  size: number
  smallestSize: number
}

export interface FittedLine {
  shaped: ShapedText
  size: number
}

/** One line: as large as `size` allows, never smaller than `smallestSize`, truncated when even that is too wide. */
export async function fitLine(units: readonly string[], box: LineBox): Promise<FittedLine> {
  const shaped = await shapeText(units, box.weight)
  const size = Math.min(box.size, (box.width * 1000) / Math.max(shaped.width, 1))
  if (size >= box.smallestSize) return { shaped, size }
  const count = await longestPrefix(units, box, ['…'])
  return { shaped: await shapeText([...units.slice(0, count), '…'], box.weight), size: box.smallestSize }
}

export interface LinesBox extends LineBox {
  /** The most lines. */
  most: number
  /** A character after which a line may break; otherwise it breaks anywhere. */
  breaks?: RegExp
}

/** One line if the text fits at `smallestSize`, otherwise up to `most` at that size; the last one is truncated. */
export async function fitLines(units: readonly string[], box: LinesBox): Promise<FittedLine[]> {
  const { width } = await shapeText(units, box.weight)
  if (box.most <= 1 || width * box.smallestSize <= box.width * 1000) return [await fitLine(units, box)]
  const fitting = await longestPrefix(units, box, [])
  const end = breakBefore(units, fitting, box.breaks)
  const rest = units[end] === ' ' ? end + 1 : end
  const small = { ...box, size: box.smallestSize }
  return [await fitLine(units.slice(0, end), small), ...(await fitLines(units.slice(rest), { ...small, most: box.most - 1 }))]
}

/** The end of the line that may have `fitting` units: at a space, or after another character that allows a break. */
function breakBefore(units: readonly string[], fitting: number, breaks: RegExp | undefined): number {
  if (breaks === undefined) return fitting
  for (let end = fitting; end > 0; end--) {
    if (units[end] === ' ' && breaks.test(' ')) return end
    const last = units[end - 1] ?? ''
    if (last !== ' ' && breaks.test(last)) return end
  }
  return fitting
}

async function longestPrefix(units: readonly string[], box: LineBox, tail: readonly string[]): Promise<number> {
  let fits = 1
  let tooLong = units.length
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    const { width } = await shapeText([...units.slice(0, middle), ...tail], box.weight)
    if (width * box.smallestSize <= box.width * 1000) fits = middle
    else tooLong = middle
  }
  return fits
}
