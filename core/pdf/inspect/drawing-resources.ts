// What a page or a form can draw by name: forms, images, patterns, Type 3 fonts and soft masks (ISO 32000-2, 7.8.3). Damaged entries count
// as absent.
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfStream, type PdfValue } from '../read/value.ts'
import { withFallback } from './decode-content.ts'
import { dictOf, itemsOf, nameEntry } from './entries.ts'
import { isUsableFont } from './faces/usable-font.ts'

/** Content that is drawn by name, with the scope in which it finds its own resources. */
export interface Drawable {
  /** Its object number. */
  readonly id: number
  /** Without resources of its own it finds those of the scope that draws it. */
  readonly ownScope: boolean
  readonly stream: PdfStream
  readonly scope: DrawingScope
  /** It is drawn onto a canvas of its own first. */
  readonly isGroup: boolean
}

export interface DrawingScope {
  readonly id: number
  xobject(name: string): Drawable | 'image' | undefined
  pattern(name: string): Drawable | undefined
  /** The soft mask of a graphics state. */
  softMask(name: string): Drawable | undefined
  /** Whether every reader finds the font with this name. */
  hasFont(name: string): boolean
  /** Whether every reader finds the font of a graphics state; undefined when it sets none. */
  hasStateFont(name: string): boolean | undefined
  /** The glyph procedures of a Type 3 font; empty for other fonts. */
  glyphs(name: string): readonly Drawable[]
}

export interface DrawingResources {
  scopeOf(resources: PdfValue | undefined): DrawingScope
  /** The stream behind this reference as content; its resources are its own or those of the scope. */
  drawableOf(value: PdfValue | undefined, scope: DrawingScope): Drawable | undefined
}

/** How many forms and images, and how many fonts, of a scope are kept: the usual page has fewer, and each form holds a dictionary. */
const MAX_KNOWN = 1000

export function newDrawingResources(file: PdfFile): DrawingResources {
  // Objects in the cache of the file keep their identity; after that a new scope is made.
  const scopes = new WeakMap<PdfDict, DrawingScope>()
  let lastId = 0

  function scopeOf(resources: PdfValue | undefined): DrawingScope {
    const dict = readSafely(() => dictOf(file, resources))
    const known = dict === undefined ? undefined : scopes.get(dict)
    const scope = known ?? makeScope(dict)
    if (dict !== undefined) scopes.set(dict, scope)
    return scope
  }

  function makeScope(resources: PdfDict | undefined): DrawingScope {
    const entry = (category: string, name: string): PdfValue | undefined => resourceOf(file, resources, category, name)
    const scope: DrawingScope = {
      id: ++lastId,
      xobject: keepFound((name) => {
        const value = entry('XObject', name)
        return isImage(file, value) ? 'image' : drawableOf(value, scope)
      }),
      pattern: (name) => drawableOf(entry('Pattern', name), scope),
      softMask(name) {
        const state = readSafely(() => dictOf(file, entry('ExtGState', name)))
        const mask = readSafely(() => dictOf(file, state?.entries.get('SMask')))
        return drawableOf(mask?.entries.get('G'), scope)
      },
      ...fontsOf(file, entry),
      glyphs(name) {
        const font = readSafely(() => dictOf(file, entry('Font', name)))
        if (font === undefined || readSafely(() => nameEntry(file, font, 'Subtype')) !== 'Type3') return []
        const own = font.entries.get('Resources')
        const inner = own === undefined ? scope : scopeOf(own)
        const procedures = readSafely(() => dictOf(file, font.entries.get('CharProcs')))
        return [...(procedures?.entries.values() ?? [])].flatMap((value) => drawableOf(value, inner) ?? [])
      },
    }
    return scope
  }

  function drawableOf(value: PdfValue | undefined, scope: DrawingScope): Drawable | undefined {
    const stream = readSafely(() => file.resolve(value))
    if (value?.kind !== 'ref' || stream?.kind !== 'stream') return undefined
    const own = stream.dict.entries.get('Resources')
    return {
      id: value.num,
      ownScope: own !== undefined,
      stream,
      // Read on demand: forms can refer to each other.
      get scope() {
        return own === undefined ? scope : scopeOf(own)
      },
      isGroup: stream.dict.entries.has('Group'),
    }
  }

  return { scopeOf, drawableOf }
}

function fontsOf(
  file: PdfFile,
  entry: (category: string, name: string) => PdfValue | undefined,
): Pick<DrawingScope, 'hasFont' | 'hasStateFont'> {
  const isUsable = keepFound((name) => isUsableFont(file, entry('Font', name)))
  return {
    hasFont: (name) => isUsable(name) === true,
    hasStateFont(name) {
      const state = readSafely(() => dictOf(file, entry('ExtGState', name)))
      const [font] = readSafely(() => itemsOf(file, state?.entries.get('Font'))) ?? []
      return font === undefined ? undefined : isUsableFont(file, font)
    },
  }
}

/** Content can draw the same name a hundred thousand times, or as many names that do not exist. */
function keepFound<Found>(find: (name: string) => Found | undefined): (name: string) => Found | undefined {
  const known = new Map<string, Found>()
  return (name) => {
    const found = known.get(name) ?? find(name)
    if (found !== undefined && known.size < MAX_KNOWN) known.set(name, found)
    return found
  }
}

function resourceOf(file: PdfFile, resources: PdfDict | undefined, category: string, name: string): PdfValue | undefined {
  return readSafely(() => dictOf(file, resources?.entries.get(category))?.entries.get(name))
}

function isImage(file: PdfFile, value: PdfValue | undefined): boolean {
  const stream = readSafely(() => file.resolve(value))
  return (
    stream?.kind === 'stream' &&
    isName(
      readSafely(() => file.resolve(stream.dict.entries.get('Subtype'))),
      'Image',
    )
  )
}

function readSafely<Value>(read: () => Value): Value | undefined {
  return withFallback<Value | undefined>(read, undefined)
}
