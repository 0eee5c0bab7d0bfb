// Finds the font files that may contain a character: Noto Sans (OFL) as published by Fontsource, sliced by code point.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Slice {
  /** Family and slice, e.g. noto-sans-latin. */
  name: string
  /** Variable WOFF2 with a weight axis. */
  file: string
  ranges: readonly (readonly [number, number])[]
}

/** The country whose glyph shapes Han characters take. */
export type HanStyle = keyof typeof HAN

// The index of each family lists the code points of each slice.
const require = createRequire(import.meta.url)
const HAN = {
  simplified: require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  traditional: require.resolve('@fontsource-variable/noto-sans-tc/unicode.json'),
  japanese: require.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  korean: require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
}
const LETTERS = [
  require.resolve('@fontsource-variable/noto-sans/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-arabic/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-hebrew/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-thai/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-armenian/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-georgian/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-bengali/unicode.json'),
  require.resolve('@fontsource-variable/noto-sans-tamil/unicode.json'),
]

const slicesByIndex = new Map<string, Slice[]>()

/** The slices that list all of `codePoints`, best first. Lists are ranges: only the font knows whether it has a glyph. */
export function* slicesWith(codePoints: readonly number[], hanStyle: HanStyle): Generator<Slice> {
  for (const index of [...LETTERS, HAN[hanStyle], ...Object.values(HAN)]) {
    for (const slice of slicesOf(index)) if (codePoints.every((codePoint) => isInRanges(codePoint, slice))) yield slice
  }
}

/** Kana imply Japanese shapes, Hangul Korean, Bopomofo traditional Chinese; Han alone counts as simplified Chinese. */
export function hanStyleOf(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'japanese'
  if (/\p{Script=Hangul}/u.test(text)) return 'korean'
  return /\p{Script=Bopomofo}/u.test(text) ? 'traditional' : 'simplified'
}

function slicesOf(index: string): Slice[] {
  const known = slicesByIndex.get(index)
  if (known) return known
  const rangesByKey: Record<string, string> = JSON.parse(readFileSync(index, 'utf8'))
  const family = /noto-sans[^/\\]*/.exec(index)?.[0] ?? ''
  const slices = Object.entries(rangesByKey).map(([key, ranges]) => {
    const name = `${family}-${key.replaceAll(/[[\]]/g, '')}`
    return { name, file: index.replace('unicode.json', `files/${name}-wght-normal.woff2`), ranges: parseRanges(ranges) }
  })
  slicesByIndex.set(index, slices)
  return slices
}

// As CSS writes them: U+0000-00FF,U+0131
function parseRanges(css: string): [number, number][] {
  return css.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace('U+', '').split('-')
    return [parseInt(first, 16), parseInt(last, 16)]
  })
}

function isInRanges(codePoint: number, { ranges }: Slice): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}
