// Writes shaped text as PDF operators: glyphs at the shaper's positions, and the exact text for copying.
import { type PDFDocument, PDFHexString, type PDFPage } from 'pdf-lib'
import { embedFace, type EmbeddedFace } from './embed-face.ts'
import type { FittedLine } from './fit-text.ts'
import { outlinePath } from './outline-path.ts'
import type { Face } from './seal-fonts.ts'
import type { ShapedGlyph } from './shape-text.ts'

export interface TextPosition {
  readonly x: number
  readonly y: number
  readonly leading: number
}

export interface TextPainter {
  /** Lines one below the other, the first with its baseline at (x, y); they are extracted together as `text`. Hidden ones are only extracted. */
  paint(text: string, lines: readonly FittedLine[], at: TextPosition, options?: { hidden: boolean }): Promise<string>
}

interface TextOrigin {
  x: number
  y: number
  size: number
}

/** A step back or a gap wider than this, in thousandths of the size, starts a new TJ instead of kerning. */
const WIDEST_KERNING = 300

/** `seed` determines the names of the embedded subsets, see embedFace. */
export function openTextPainter(document: PDFDocument, page: PDFPage, seed: string): TextPainter {
  const embedded = new Map<string, Promise<EmbeddedFace>>()
  const embed = (face: Face) => {
    const known = embedded.get(face.name) ?? embedFace(document, page, face, seed)
    embedded.set(face.name, known)
    return known
  }
  return {
    async paint(text, lines, { x, y, leading }, { hidden } = { hidden: false }) {
      const painted: string[] = []
      const shapes: string[] = []
      for (const [index, { shaped, size }] of lines.entries()) {
        for (const { face, glyphs } of shaped.runs) {
          const { key, encode } = await embed(face)
          const origin = { x, y: y - index * leading, size }
          const letters = glyphs.filter((glyph) => glyph.text !== '')
          painted.push(`${key} ${fixed(size)} Tf`, paintGlyphs(face, letters, encode(letters), origin))
          shapes.push(...glyphs.filter((glyph) => glyph.text === '').map((glyph) => paintShape(face, glyph, origin)))
        }
      }
      // ISO 32000-2, table 104: mode 3 neither fills nor strokes.
      const content = hidden ? `q 3 Tr BT\n${painted.join('\n')}\nET Q\n` : `BT\n${painted.join('\n')}\nET\n${shapes.join('')}`
      return needsActualText(text, lines)
        ? `/Span<</ActualText${PDFHexString.fromText(text).toString()}>>BDC ${content} EMC\n`
        : `${content}\n`
    },
  }
}

// NOTE: poppler and MuPDF expect ActualText in visual order and reverse right-to-left text a second time. Such a line is extracted from its
// glyphs, which map to their exact letters, unless it shows less than its text.
function needsActualText(text: string, lines: readonly FittedLine[]): boolean {
  const runs = lines.flatMap(({ shaped }) => shaped.runs)
  const shown = runs.flatMap(({ glyphs }) => glyphs.map((glyph) => glyph.text)).join('')
  return shown.length < text.length || !runs.some(({ isRtl }) => isRtl)
}

// Adjacent glyphs on the baseline share one TJ; a mark gets its own position.
function paintGlyphs(face: Face, glyphs: readonly ShapedGlyph[], codes: readonly string[], { x, y, size }: TextOrigin): string {
  const scale = size / 1000
  const strings: string[] = []
  let pen: number | undefined
  for (const [index, glyph] of glyphs.entries()) {
    const gap = glyph.x - (pen ?? -Infinity)
    if (glyph.y !== 0 || Math.abs(gap) > WIDEST_KERNING) {
      strings.push(`]TJ 1 0 0 1 ${fixed(x + glyph.x * scale)} ${fixed(y + glyph.y * scale)} Tm [`)
    } else if (Math.abs(gap) >= 0.5) strings.push(fixed(-gap))
    strings.push(`<${codes[index] ?? ''}>`)
    const advance = (face.font.getGlyph(glyph.id).advanceWidth * 1000) / face.font.unitsPerEm
    pen = glyph.y === 0 ? glyph.x + advance : undefined
  }
  return `${strings.join('').replace(/^\]TJ /, '')}]TJ`
}

// The dots of an Arabic letter are a separate glyph without text; painted as text, they would add garbage when copied.
function paintShape(face: Face, { id, x, y }: ShapedGlyph, origin: TextOrigin): string {
  const scale = origin.size / face.font.unitsPerEm
  const place = `${fixed(origin.x + (x * origin.size) / 1000)} ${fixed(origin.y + (y * origin.size) / 1000)}`
  return `q ${scale.toFixed(6)} 0 0 ${scale.toFixed(6)} ${place} cm\n${outlinePath(face.font.getGlyph(id).path)}f Q\n`
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100)
}
