// Fonts for names in any script. A font without the glyph draws an empty box in silence, so faces are chosen code point by code point,
// from the unicode ranges of the slices that Fontsource publishes (Noto Sans, OFL), and asked again before they are used.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import * as harfbuzz from 'harfbuzzjs'
import subsetFont from 'subset-font'

export interface Face {
  /** Slice and weight, e.g. noto-sans-latin-400: equal names are the same face. */
  name: string
  /** For embedding. */
  font: Font
  /** For shaping. */
  shaper: harfbuzz.Font
}

export type Weight = 400 | 600

interface Slice {
  file: string
  name: string
  ranges: readonly (readonly [number, number])[]
}

const LETTERS = ['noto-sans', ...['arabic', 'hebrew', 'thai', 'armenian', 'georgian', 'bengali', 'tamil'].map(noto)]
const HAN = ['sc', 'tc', 'jp', 'kr'].map(noto)
/** A thread that has met every script would otherwise keep some 500 slices of about 100 KB. */
const FACES_KEPT = 64

const require = createRequire(import.meta.url)
const faces = new Map<string, Promise<Face>>()
const slicesByFamily = new Map<string, Slice[]>()

/**
 * The face that has a glyph for each of `codePoints`; undefined when no font has them all. `hanFamily` says whose shapes
 * Han characters take (`preferredHan`). Faces are kept for the life of the thread.
 */
export async function findFace(codePoints: readonly number[], weight: Weight, hanFamily: string): Promise<Face | undefined> {
  for (const family of [...LETTERS, hanFamily, ...HAN]) {
    for (const slice of slicesOf(family)) {
      if (!codePoints.every((codePoint) => isInRanges(codePoint, slice.ranges))) continue
      const face = await openFace(slice, weight)
      if (codePoints.every((codePoint) => face.font.hasGlyphForCodePoint(codePoint))) return face
    }
  }
  return undefined
}

/** Kana speak for Japanese shapes, Hangul for Korean, Bopomofo for traditional ones; Han alone is taken as simplified Chinese. */
export function preferredHan(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return noto('jp')
  if (/\p{Script=Hangul}/u.test(text)) return noto('kr')
  return noto(/\p{Script=Bopomofo}/u.test(text) ? 'tc' : 'sc')
}

function noto(script: string): string {
  return `noto-sans-${script}`
}

async function openFace(slice: Slice, weight: Weight): Promise<Face> {
  const name = `${slice.name}-${weight}`
  const kept = faces.get(name) ?? loadFace(slice, weight, name)
  // Least recently used first: a Map keeps the order of insertion.
  faces.delete(name)
  faces.set(name, kept)
  const oldest = faces.size > FACES_KEPT ? faces.keys().next().value : undefined
  if (oldest !== undefined) faces.delete(oldest)
  return kept
}

// NOTE: fontkit draws rubbish from WOFF2 subsets and cannot embed variable fonts, so the slice is first made a plain TrueType font.
async function loadFace(slice: Slice, weight: Weight, name: string): Promise<Face> {
  const variationAxes = { wght: weight }
  const trueType = await subsetFont(await readFile(slice.file), undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    variationAxes,
  })
  const font = create(trueType)
  if (!('layout' in font)) throw new Error(`${name} is a font collection`)
  return { name, font, shaper: new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(trueType))) }
}

function slicesOf(family: string): Slice[] {
  const known = slicesByFamily.get(family)
  if (known) return known
  const index = require.resolve(`@fontsource-variable/${family}/unicode.json`)
  const ranges: Record<string, string> = JSON.parse(readFileSync(index, 'utf8'))
  const slices = Object.entries(ranges).map(([key, css]) => {
    const name = `${family}-${key.replaceAll(/[[\]]/g, '')}`
    return { name, file: index.replace('unicode.json', `files/${name}-wght-normal.woff2`), ranges: parseRanges(css) }
  })
  slicesByFamily.set(family, slices)
  return slices
}

// The CSS form: U+0000-00FF,U+0131
function parseRanges(css: string): [number, number][] {
  return css.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace('U+', '').split('-')
    return [parseInt(first, 16), parseInt(last, 16)]
  })
}

function isInRanges(codePoint: number, ranges: Slice['ranges']): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}
