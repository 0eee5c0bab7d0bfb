// Faces for names in any script. A font draws an empty box for a missing glyph, so every code point is checked before use.
import { readFile } from 'node:fs/promises'
import { create, type Font } from 'fontkit'
import * as harfbuzz from 'harfbuzzjs'
import subsetFont from 'subset-font'
import { type HanStyle, type Slice, slicesWith } from './font-slices.ts'

export interface Face {
  /** Slice and weight, e.g. noto-sans-latin-400; identifies the face. */
  name: string
  /** For embedding. */
  font: Font
  /** For shaping. */
  shaper: harfbuzz.Font
}

export type Weight = 400 | 600

/** Without a limit, a thread that has met every script would hold some 500 slices of about 100 KB. */
const MAX_CACHED_FACES = 64

/** Graphemes; a few hundred cover most names. */
const MAX_CACHED_SLICES = 2_048

const faces = new Map<string, Promise<Face>>()
const sliceOf = new Map<string, Slice | undefined>()

/** The face that has a glyph for each of `codePoints`; undefined when no font has them all. The thread caches the faces used last. */
export async function findFace(codePoints: readonly number[], weight: Weight, hanStyle: HanStyle): Promise<Face | undefined> {
  const key = `${codePoints.join()} ${weight} ${hanStyle}`
  if (!sliceOf.has(key)) {
    const found = await findSlice(codePoints, weight, hanStyle)
    if (sliceOf.size >= MAX_CACHED_SLICES) sliceOf.clear()
    sliceOf.set(key, found)
  }
  const slice = sliceOf.get(key)
  return slice && openFace(slice, weight)
}

async function findSlice(codePoints: readonly number[], weight: Weight, hanStyle: HanStyle): Promise<Slice | undefined> {
  for (const slice of slicesWith(codePoints, hanStyle)) {
    const { font } = await openFace(slice, weight)
    if (codePoints.every((codePoint) => font.hasGlyphForCodePoint(codePoint))) return slice
  }
  return undefined
}

async function openFace(slice: Slice, weight: Weight): Promise<Face> {
  const name = `${slice.name}-${weight}`
  const face = faces.get(name) ?? loadFace(slice, weight, name)
  // A Map keeps insertion order: the least recently used face comes first.
  faces.delete(name)
  faces.set(name, face)
  const oldest = faces.size > MAX_CACHED_FACES ? faces.keys().next().value : undefined
  if (oldest !== undefined) faces.delete(oldest)
  return face
}

// NOTE: fontkit draws garbage from WOFF2 subsets and cannot embed variable fonts, so the slice is converted to a plain TrueType font first.
async function loadFace(slice: Slice, weight: Weight, name: string): Promise<Face> {
  try {
    const variationAxes = { wght: weight }
    const options = { keepAllGlyphs: true, targetFormat: 'truetype', variationAxes } as const
    const trueType = await subsetFont(await readFile(slice.file), undefined, options)
    const font = create(trueType)
    if (!('layout' in font)) throw new Error(`${name} is a font collection`)
    return { name, font, shaper: new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(trueType))) }
  } catch (error) {
    faces.delete(name)
    throw error
  }
}
