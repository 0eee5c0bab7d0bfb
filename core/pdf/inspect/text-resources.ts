// Resource dictionaries for the interpreters (ISO 32000-2, 7.8.3): names to fonts and forms. A damaged entry counts as absent.
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, NULL, type PdfDict, type PdfValue } from '../read/value.ts'
import { type ContentDecoder, withFallback } from './decode-content.ts'
import { type FontLoader, newFontLoader } from './font-loader.ts'
import { IDENTITY } from './matrix.ts'
import { boxEntry, matrixEntry } from './number-entries.ts'
import type { Form, TextScope } from './text-scope.ts'

/** Colour spaces whose values are amounts of ink, or no lightness at all. */
const TINTS = ['Separation', 'DeviceN', 'Indexed', 'Pattern']

export interface TextResources {
  /** The scope for the /Resources of a page. */
  scopeOf(resources: PdfValue | undefined): TextScope
}

export function newTextResources(file: PdfFile, decoder: ContentDecoder): TextResources {
  const fonts = newFontLoader(file, decoder)
  return { scopeOf: (resources) => makeScope(file, decoder, fonts, resources) }
}

function makeScope(file: PdfFile, decoder: ContentDecoder, loader: FontLoader, resources: PdfValue | undefined): TextScope {
  const fontEntries = categoryOf(file, resources, 'Font')
  const formEntries = categoryOf(file, resources, 'XObject')
  const forms = new Map<string, Form | undefined>()
  const scope: TextScope = {
    font(name) {
      const value = fontEntries?.entries.get(name)
      return value === undefined ? undefined : loader.load(value)
    },
    isTint(name) {
      return withFallback(() => {
        const space = file.resolve(categoryOf(file, resources, 'ColorSpace')?.entries.get(name))
        const family = space.kind === 'array' ? file.resolve(space.items[0]) : NULL
        return family.kind === 'name' && TINTS.includes(family.name)
      }, false)
    },
    form(name) {
      const value = formEntries?.entries.get(name)
      if (value === undefined) return undefined
      const known = forms.get(name)
      if (known !== undefined || forms.has(name)) return known
      const form = withFallback(() => makeForm(value), undefined)
      forms.set(name, form)
      return form
    },
  }

  function makeForm(value: PdfValue): Form | undefined {
    const stream = file.resolve(value)
    if (value.kind !== 'ref' || stream.kind !== 'stream') return undefined
    if (!isName(file.resolve(stream.dict.entries.get('Subtype')), 'Form')) return undefined
    const own = file.resolve(stream.dict.entries.get('Resources'))
    return {
      id: value.num,
      ownScope: own.kind === 'dict',
      // Created on demand: forms can refer to each other.
      get scope() {
        return own.kind === 'dict' ? makeScope(file, decoder, loader, own) : scope
      },
      matrix: matrixEntry(file, stream.dict, 'Matrix') ?? IDENTITY,
      box: boxEntry(file, stream.dict, 'BBox'),
      content: () => decoder.decode(stream),
    }
  }
  return scope
}

function categoryOf(file: PdfFile, resources: PdfValue | undefined, category: string): PdfDict | undefined {
  return withFallback(() => {
    const dict = file.resolve(resources)
    const entries = dict.kind === 'dict' ? file.resolve(dict.entries.get(category)) : NULL
    return entries.kind === 'dict' ? entries : undefined
  }, undefined)
}
