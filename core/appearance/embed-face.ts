// Embeds a face into a pdf-lib document with exactly the painted glyphs, each under a code that maps to its letters.
import { createHash } from 'node:crypto'
import type { PDFDocument, PDFPage } from 'pdf-lib'
import type { Face } from './seal-fonts.ts'
import type { ShapedGlyph } from './shape-text.ts'

export interface EmbeddedFace {
  face: Face
  /** Name in the page's resources, slash included. */
  key: string
  /** Hexadecimal codes of the glyphs in the embedded subset. */
  encode: (glyphs: readonly ShapedGlyph[]) => string[]
}

/**
 * pdf-lib would lay out text itself, without direction and mark positions, and give each glyph one meaning, although Arabic and Indic fonts
 * use one glyph for several letters. So it gets a font that returns shaped glyphs, one code for each glyph and meaning. `seed` determines
 * the subset's name: different seals in one file need different names.
 */
export async function embedFace(document: PDFDocument, page: PDFPage, face: Face, seed: string): Promise<EmbeddedFace> {
  const known = new Map<string, object>()
  let painted: object[] = []
  const shapedFont = Object.create(face.font, {
    layout: { value: () => ({ glyphs: painted }) },
    createSubset: { value: () => newSubset(face) },
  })
  document.registerFontkit({ create: () => shapedFont })
  const customName = `${subsetTag(`${seed} ${face.name}`)}+${face.font.postscriptName}`
  const font = await document.embedFont(new Uint8Array(), { subset: true, customName })
  return {
    face,
    key: page.node.newFontDictionary('F', font.ref).toString(),
    encode(glyphs) {
      painted = glyphs.map(({ id, text }) => {
        const meaning = `${id} ${text}`
        const glyph = known.get(meaning) ?? newGlyph(face, id, text, known.size + 1)
        known.set(meaning, glyph)
        return glyph
      })
      return font.encodeText('').asString().match(/.{4}/g) ?? []
    },
  }
}

// fontkit's glyph under its code in the subset, with these letters.
function newGlyph(face: Face, outline: number, text: string, code: number): object {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  return Object.create(face.font.getGlyph(outline), {
    id: { value: code },
    outline: { value: outline },
    codePoints: { value: codePoints },
  })
}

// fontkit's subset, but every new code adds an outline, even one that exists under another code.
function newSubset(face: Face): { includeGlyph: (glyph: { id: number; outline: number }) => number; encode: () => Uint8Array } {
  const subset = face.font.createSubset()
  const outlines: unknown = Reflect.get(subset, 'glyphs')
  if (!Array.isArray(outlines)) throw new Error('fontkit keeps the glyphs of a subset in another place')
  return {
    includeGlyph({ id, outline }) {
      // Code 0 is .notdef, so a code equals the index of its outline.
      if (id === outlines.length) outlines.push(outline)
      return id
    },
    encode: () => subset.encode(),
  }
}

// ISO 32000-2 9.9.2: six upper-case letters before the name, different for every subset of a font.
function subsetTag(seed: string): string {
  const digest = createHash('sha256').update(seed).digest()
  return String.fromCharCode(...digest.subarray(0, 6).map((octet) => 65 + (octet % 26)))
}
