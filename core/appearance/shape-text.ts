// Shapes a string into positioned glyphs: a face for every grapheme, bidirectional order (UAX #9), shaping and mark positions by HarfBuzz.
// Every glyph carries its letters, so drawn text can be copied.
import bidiFactory from 'bidi-js'
import * as harfbuzz from 'harfbuzzjs'
import { type HanStyle, hanStyleOf } from './font-slices.ts'
import { type Face, findFace, type Weight } from './seal-fonts.ts'

/** Distances are thousandths of the font size. */
export interface ShapedGlyph {
  id: number
  /** From the left end of the line and from the baseline. */
  x: number
  y: number
  /** The letters of its cluster; empty for marks beside the glyph that carries them. */
  text: string
}

/** Glyphs from left to right. */
export interface ShapedRun {
  face: Face
  isRtl: boolean
  glyphs: ShapedGlyph[]
}

export interface ShapedText {
  /** From left to right. */
  runs: ShapedRun[]
  width: number
  /** Number of visible graphemes that no font has. */
  missing: number
}

interface Piece {
  face: Face
  level: number
  text: string
}

/** Says that something is missing. */
const REPLACEMENT = '\u25a1'

// NOTE: the package is CommonJS and exports the factory itself, but its types describe an ES module.
const newBidi: unknown = bidiFactory
const bidi = (typeof newBidi === 'function' ? newBidi : bidiFactory.default)()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The graphemes of a text after NFC, without control characters and direction overrides, which have no glyph and could reorder the line. */
export function splitGraphemes(text: string): string[] {
  const visible = text
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    // Joiners stay: Indic scripts and Persian need them.
    .replaceAll(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, '')
    .trim()
  return Array.from(graphemes.segment(visible), ({ segment }) => segment)
}

/** Every layout of a seal shapes the same texts, some more than once. More than one seal needs, but few enough fonts to hold. */
const MAX_CACHED_TEXTS = 64

const shapedTexts = new Map<string, Promise<ShapedText>>()

/** Shapes the graphemes as one line. Graphemes that no font has are counted and shown as REPLACEMENT. The result is shared: read only. */
export async function shapeText(units: readonly string[], weight: Weight): Promise<ShapedText> {
  const key = `${weight} ${units.join('\0')}`
  const shaped = shapedTexts.get(key) ?? shapeLine(units, weight)
  // A Map keeps insertion order: the least recently used text comes first.
  shapedTexts.delete(key)
  shapedTexts.set(key, shaped)
  const oldest = shapedTexts.size > MAX_CACHED_TEXTS ? shapedTexts.keys().next().value : undefined
  if (oldest !== undefined) shapedTexts.delete(oldest)
  try {
    return await shaped
  } catch (error) {
    shapedTexts.delete(key)
    throw error
  }
}

async function shapeLine(units: readonly string[], weight: Weight): Promise<ShapedText> {
  const { pieces, missing } = await splitIntoPieces(units, weight)
  let width = 0
  const runs = visualOrder(pieces).map((piece) => {
    const { glyphs, advance } = shapePiece(piece)
    for (const glyph of glyphs) glyph.x += width
    width += advance
    return { face: piece.face, isRtl: isRtl(piece), glyphs }
  })
  return { runs, width, missing }
}

async function splitIntoPieces(units: readonly string[], weight: Weight): Promise<{ pieces: Piece[]; missing: number }> {
  const text = units.join('')
  const { levels } = bidi.getEmbeddingLevels(text, 'auto')
  const hanStyle = hanStyleOf(text)
  const pieces: Piece[] = []
  let at = 0
  let missing = 0
  for (const unit of units) {
    const faces = await facesOf(unit, weight, hanStyle)
    if (!faces) missing++
    for (const { face, part } of faces ?? (await facesOf(REPLACEMENT, weight, hanStyle)) ?? [])
      appendPiece(pieces, { face, level: levels[at] ?? 0, text: part })
    at += unit.length
  }
  return { pieces, missing }
}

// One face for the whole grapheme if possible, else one for each code point: Noto Sans positions marks well after any base.
async function facesOf(unit: string, weight: Weight, hanStyle: HanStyle): Promise<{ face: Face; part: string }[] | undefined> {
  const characters = Array.from(unit)
  const codePoints = characters.map((character) => character.codePointAt(0) ?? 0)
  const whole = await findFace(codePoints, weight, hanStyle)
  if (whole) return [{ face: whole, part: unit }]
  if (characters.length === 1) return undefined
  const parts = await Promise.all(characters.map((character) => facesOf(character, weight, hanStyle)))
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? [])
}

function appendPiece(pieces: Piece[], next: Piece): void {
  const last = pieces.at(-1)
  if (last && last.face.name === next.face.name && last.level === next.level) last.text += next.text
  else pieces.push(next)
}

function isRtl({ level }: Piece): boolean {
  return level % 2 === 1
}

// UAX #9 L2, on runs instead of characters.
function visualOrder(pieces: readonly Piece[]): Piece[] {
  const order = [...pieces]
  for (let level = Math.max(0, ...pieces.map((piece) => piece.level)); level > 0; level--) {
    for (let start = 0; start < order.length; start++) {
      let end = start
      while ((order[end]?.level ?? -1) >= level) end++
      order.splice(start, end - start, ...order.slice(start, end).toReversed())
      start = Math.max(start, end - 1)
    }
  }
  return order
}

/** One for all texts: HarfBuzz frees a buffer only when the garbage collector finds its small object, so buffers would fill hundreds of megabytes first. */
const buffer = new harfbuzz.Buffer()

function shapePiece(piece: Piece): { glyphs: ShapedGlyph[]; advance: number } {
  buffer.reset()
  buffer.addText(piece.text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRtl(piece) ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
  buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS)
  harfbuzz.shape(piece.face.shaper, buffer)
  const infos = buffer.getGlyphInfos()
  const advances = buffer.getGlyphPositions().map(({ xAdvance }) => xAdvance)
  const letters = lettersOfGlyphs(infos, advances, piece.text).map((text) => (isRtl(piece) ? mirror(text) : text))
  const scale = 1000 / piece.face.font.unitsPerEm
  let advance = 0
  const glyphs = buffer.getGlyphPositions().map(({ xAdvance, xOffset, yOffset }, index) => {
    const x = advance + xOffset * scale
    advance += xAdvance * scale
    return { id: infos[index]?.codepoint ?? 0, x, y: yOffset * scale, text: letters[index] ?? '' }
  })
  return { glyphs, advance }
}

// A bracket in right-to-left text is drawn, and therefore copied, as its mirror image.
function mirror(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('')
}

// A cluster is identified by the index of its first character and ends where the next one starts; its widest glyph carries its letters.
function lettersOfGlyphs(infos: readonly { cluster: number }[], advances: readonly number[], text: string): string[] {
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].toSorted((a, b) => a - b)
  const letters = infos.map(() => '')
  for (const [index, start] of starts.entries()) {
    const members = [...infos.keys()].filter((member) => infos[member]?.cluster === start)
    const carrier = members.reduce((widest, member) => ((advances[member] ?? 0) > (advances[widest] ?? 0) ? member : widest))
    letters[carrier] = text.slice(start, starts[index + 1])
  }
  return letters
}
