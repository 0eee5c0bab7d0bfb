// Makes the scan's view of font dictionaries, and keeps the fonts used last: documents merged from many hold thousands.
import type { PdfFile } from '../pdf-file.ts'
import { isName, type PdfDict, type PdfValue } from '../value.ts'
import { codeBytesOf, compositeMetrics, UNICODE_UNITS, unicodeCodes } from './composite-font.ts'
import { type ContentReader, newContentReader } from './content-reader.ts'
import { type ContentDecoder, tolerant } from './decode-content.ts'
import { type CodeTexts, OTHER_UNIT } from './marker-units.ts'
import { simpleMetrics, simpleTexts } from './simple-font.ts'
import type { Font, FontMetrics } from './text-scope.ts'
import { readToUnicode } from './to-unicode.ts'

const KEPT_FONTS = 64
const TWO_BYTE_CODES = 65_536
const NO_METRICS: FontMetrics = { advance: () => 0, vertical: false, height: 1 }

export interface FontLoader {
  /** The font behind an entry of a /Font dictionary; undefined when it is none or is damaged. */
  load(value: PdfValue): Font | undefined
}

interface Tools {
  readonly file: PdfFile
  readonly decoder: ContentDecoder
  readonly cmapReader: ContentReader
}

export function newFontLoader(file: PdfFile, decoder: ContentDecoder): FontLoader {
  const tools: Tools = { file, decoder, cmapReader: newContentReader() }
  const kept = new Map<number, Font | undefined>()
  let direct = 0
  return {
    load(value) {
      if (value.kind !== 'ref') return tolerant(() => readFont(tools, value, --direct), undefined)
      const { num } = value
      const font = kept.has(num) ? kept.get(num) : tolerant(() => readFont(tools, value, num), undefined)
      kept.delete(num)
      kept.set(num, font)
      const [oldest] = kept.keys()
      if (kept.size > KEPT_FONTS && oldest !== undefined) kept.delete(oldest)
      return font
    },
  }
}

function readFont(tools: Tools, value: PdfValue, id: number): Font | undefined {
  const { file } = tools
  const dict = file.resolve(value)
  if (dict.kind !== 'dict') return undefined
  const composite = isName(file.resolve(dict.entries.get('Subtype')), 'Type0')
  const texts = composite ? compositeTexts(tools, dict) : simpleTexts(file, dict)
  if (!composite) applyToUnicode(tools, dict, texts)
  const codeBytes = composite ? codeBytesOf(file, tools.decoder, tools.cmapReader, dict) : 1
  let metrics: FontMetrics | undefined
  return {
    ...texts,
    id,
    codeBytes,
    metrics() {
      metrics ??= tolerant(() => (composite ? compositeMetrics(file, dict) : simpleMetrics(file, dict, texts.units)), NO_METRICS)
      return metrics
    },
  }
}

/** The table reaches up to the last code that matters, a few hundred in most fonts. */
function compositeTexts(tools: Tools, dict: PdfDict): CodeTexts {
  const texts = { units: new Uint16Array(TWO_BYTE_CODES).fill(OTHER_UNIT), sequences: new Map<number, string>() }
  if (unicodeCodes(tools.file, dict)) texts.units.set(UNICODE_UNITS)
  applyToUnicode(tools, dict, texts)
  const last = texts.units.findLastIndex((unit) => unit !== OTHER_UNIT)
  return { ...texts, units: texts.units.slice(0, last + 1) }
}

function applyToUnicode({ file, decoder, cmapReader }: Tools, dict: PdfDict, texts: CodeTexts): void {
  const cmap = tolerant(() => file.resolve(dict.entries.get('ToUnicode')), undefined)
  const bytes = cmap?.kind === 'stream' ? decoder.decode(cmap) : undefined
  if (bytes !== undefined) readToUnicode(cmapReader, bytes, texts)
}
