// Loads font dictionaries for the scan and caches the fonts used last: merged documents hold thousands.
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'
import { codeBytesOf, compositeMetrics, UNICODE_UNITS, unicodeCodes } from './composite-font.ts'
import { type ContentReader, newContentReader } from './content-reader.ts'
import { type ContentDecoder, withFallback } from './decode-content.ts'
import { type CodeTexts, OTHER_UNIT } from './marker-units.ts'
import { simpleMetrics, simpleTexts } from './simple-font.ts'
import type { Font, FontMetrics } from './text-scope.ts'
import { readToUnicode } from './to-unicode.ts'

const MAX_CACHED_FONTS = 64
const TWO_BYTE_CODES = 65_536
const NO_METRICS: FontMetrics = { advance: () => 0, vertical: false, height: 1 }

export interface FontLoader {
  /** The font behind an entry of a /Font dictionary; undefined when it is not a font or is damaged. */
  load(value: PdfValue): Font | undefined
}

interface Tools {
  readonly file: PdfFile
  readonly decoder: ContentDecoder
  readonly cmapReader: ContentReader
  /** Scratch table for a composite font, before it is cut to size. */
  readonly table: Uint16Array
}

export function newFontLoader(file: PdfFile, decoder: ContentDecoder): FontLoader {
  const tools: Tools = { file, decoder, cmapReader: newContentReader(), table: new Uint16Array(TWO_BYTE_CODES) }
  /** Fonts by object number, or by the value itself for a font that is a direct object. */
  const cache = new Map<number | PdfValue, Font | undefined>()
  let direct = 0
  let last: { readonly key: number | PdfValue; readonly font: Font | undefined } | undefined
  return {
    load(value) {
      const key = value.kind === 'ref' ? value.num : value
      if (last?.key === key) return last.font
      const id = value.kind === 'ref' ? value.num : --direct
      const font = cache.has(key) ? cache.get(key) : withFallback(() => readFont(tools, value, id), undefined)
      cache.delete(key)
      cache.set(key, font)
      const [oldest] = cache.keys()
      if (cache.size > MAX_CACHED_FONTS && oldest !== undefined) cache.delete(oldest)
      last = { key, font }
      return font
    },
  }
}

function readFont(tools: Tools, value: PdfValue, id: number): Font | undefined {
  const { file } = tools
  const dict = file.resolve(value)
  if (dict.kind !== 'dict') return undefined
  const composite = isName(file.resolve(dict.entries.get('Subtype')), 'Type0')
  const texts = composite ? compositeTexts(tools, dict) : simpleTexts(file, tools.decoder, dict)
  if (!composite) applyToUnicode(tools, dict, texts)
  const codeBytes = composite ? codeBytesOf(file, tools.decoder, tools.cmapReader, dict) : 1
  let metrics: FontMetrics | undefined
  return {
    ...texts,
    id,
    codeBytes,
    metrics() {
      metrics ??= withFallback(
        () =>
          composite ? compositeMetrics(file, tools.decoder, newContentReader(), dict) : simpleMetrics(file, dict, texts.units),
        NO_METRICS,
      )
      return metrics
    },
  }
}

/** The table ends at the last code that matters, a few hundred in most fonts. */
function compositeTexts(tools: Tools, dict: PdfDict): CodeTexts {
  const units = tools.table.fill(OTHER_UNIT)
  const sequences = new Map<number, string>()
  if (unicodeCodes(tools.file, dict)) units.set(UNICODE_UNITS)
  applyToUnicode(tools, dict, { units, sequences })
  let length = units.length
  while (length > 0 && units[length - 1] === OTHER_UNIT) length--
  return { units: units.slice(0, length), sequences }
}

function applyToUnicode({ file, decoder, cmapReader }: Tools, dict: PdfDict, texts: CodeTexts): void {
  const cmap = withFallback(() => file.resolve(dict.entries.get('ToUnicode')), undefined)
  const bytes = cmap?.kind === 'stream' ? decoder.decode(cmap) : undefined
  if (bytes !== undefined) readToUnicode(cmapReader, bytes, texts)
}
