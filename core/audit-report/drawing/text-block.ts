// Breaks text of any script into lines. A block has a height before it is painted, so that rows can be shown together.
import type { FittedLine } from '#core/appearance/fit-text.ts'
import { shapeText, type ShapedText, splitGraphemes } from '#core/appearance/shape-text.ts'
import type { TextStyle } from './style.ts'

export interface TextBlock {
  text: string
  style: TextStyle
  lines: FittedLine[]
  height: number
}

/** Lays out text. One instance per report: it caches blocks, because audit trails repeat the same texts. */
export interface TypeSetter {
  /** Uses at most `maxLines` lines: the rest is truncated with an ellipsis and stays in the copied text. */
  layOut(text: string, style: TextStyle, width: number, maxLines?: number): Promise<TextBlock>
}

/** Limit of each cache, for blocks and for shaped words. */
const MAX_CACHED = 5_000

export function openTypeSetter(): TypeSetter {
  const blocks = new Map<string, Promise<TextBlock>>()
  const words = new Map<string, Promise<ShapedText>>()
  const shape: Shape = (units, { weight }) => cached(words, `${weight} ${units.join('')}`, () => shapeText(units, weight))
  return {
    layOut(text, style, width, maxLines = Infinity) {
      const { weight, size, colour } = style
      const key = [weight, size, colour, width, maxLines, text].join(' ')
      return cached(blocks, key, () => setBlock(text, style, { width, maxLines }, shape))
    },
  }
}

function cached<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make()
  if (known.size >= MAX_CACHED) known.clear()
  known.set(key, value)
  return value
}

type Shape = (units: Units, style: TextStyle) => Promise<ShapedText>

async function setBlock(
  text: string,
  style: TextStyle,
  { width, maxLines }: { width: number; maxLines: number },
  shape: Shape,
): Promise<TextBlock> {
  const measure: Measure = async (units) => ((await shape(units, style)).width * style.size) / 1000
  const broken = await breakLines(splitGraphemes(text), width, measure)
  const shown = broken.length > maxLines ? await truncate(broken, width, measure, maxLines) : broken
  const lines = await Promise.all(shown.map(async (units) => ({ shaped: await shape(units, style), size: style.size })))
  return { text, style, lines, height: lines.length * style.leading }
}

type Units = readonly string[]
type Measure = (units: Units) => Promise<number>

/** Greedy: as many words per line as fit; a word wider than a line is broken between graphemes. */
async function breakLines(units: Units, width: number, measure: Measure): Promise<string[][]> {
  const space = await measure([' '])
  const lines: string[][] = []
  let line: string[] = []
  let used = 0
  for (const word of wordsOf(units)) {
    for (const part of await partsOf(word, width, measure)) {
      const needed = await measure(part)
      if (line.length > 0 && used + space + needed > width) {
        lines.push(line)
        line = []
        used = 0
      }
      used += (line.length > 0 ? space : 0) + needed
      line.push(...(line.length > 0 ? [' '] : []), ...part)
    }
  }
  return line.length > 0 ? [...lines, line] : lines
}

function wordsOf(units: Units): string[][] {
  const words: string[][] = [[]]
  for (const unit of units) {
    if (unit === ' ') words.push([])
    else words.at(-1)?.push(unit)
  }
  return words.filter((word) => word.length > 0)
}

async function partsOf(word: string[], width: number, measure: Measure): Promise<string[][]> {
  if ((await measure(word)) <= width) return [word]
  const parts: string[][] = [[]]
  let used = 0
  for (const unit of word) {
    const needed = await measure([unit])
    if (used + needed > width && used > 0) {
      parts.push([])
      used = 0
    }
    parts.at(-1)?.push(unit)
    used += needed
  }
  return parts
}

async function truncate(lines: string[][], width: number, measure: Measure, maxLines: number): Promise<string[][]> {
  const last = [...(lines[maxLines - 1] ?? [])]
  while (last.length > 0 && (await measure([...last, '…'])) > width) last.pop()
  return [...lines.slice(0, maxLines - 1), [...last, '…']]
}
