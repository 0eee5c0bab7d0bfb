// The text that an appearance shows, where that is certain: fonts with one-byte codes that stand for ASCII.
import type { PdfFile } from '../../read/pdf-file.ts'
import type { PdfStream } from '../../read/value.ts'
import { type ContentReader, nextOperator, operatorCode, readContent, skipInlineImage } from '../content-reader.ts'
import type { ContentDecoder } from '../decode-content.ts'
import { IGNORED_UNIT, OTHER_UNIT, unitOf } from '../marker-units.ts'
import { isString, lastName, type Operands, stringAt } from '../operands.ts'
import type { TextResources } from '../text-resources.ts'
import type { Font, TextScope } from '../text-scope.ts'
import { readAcroForm } from '../../read/form-fields.ts'

export interface TextTools {
  readonly file: PdfFile
  readonly decoder: ContentDecoder
  readonly reader: ContentReader
  readonly resources: TextResources
}

const [SET_FONT, DRAW, IMAGE_DATA] = [operatorCode('Tf'), operatorCode('Do'), operatorCode('ID')]
const SHOWS_TEXT: ReadonlySet<number> = new Set(['Tj', 'TJ', "'", '"'].map(operatorCode))

/** The text in the order of the content; undefined where it is uncertain: other codes, other fonts, drawings within. */
export function shownText({ file, decoder, reader, resources }: TextTools, appearance: PdfStream): string | undefined {
  const content = decoder.decode(appearance)
  if (content === undefined) return undefined
  const scopes = [appearance.dict.entries.get('Resources'), readAcroForm(file)?.entries.get('DR')].map((value) =>
    resources.scopeOf(value),
  )
  let font: Font | undefined
  let text = ''
  readContent(reader, content, 0)
  for (let operator = nextOperator(reader); operator !== 0; operator = nextOperator(reader)) {
    const { operands } = reader
    if (operator === DRAW) return undefined
    if (operator === IMAGE_DATA) skipInlineImage(reader)
    if (operator === SET_FONT) font = fontIn(scopes, lastName(operands) ?? '')
    const shown = SHOWS_TEXT.has(operator) ? stringsOf(font, operands) : ''
    if (shown === undefined) return undefined
    text += shown
  }
  return text
}

/** Font of the appearance, or of the form. */
function fontIn(scopes: readonly TextScope[], name: string): Font | undefined {
  return scopes.map((scope) => scope.font(name)).find((font) => font !== undefined)
}

function stringsOf(font: Font | undefined, operands: Operands): string | undefined {
  let text = ''
  for (let index = 0; index < operands.count; index++) {
    const shown = isString(operands, index) ? asciiOf(font, stringAt(operands, index)) : ''
    if (shown === undefined) return undefined
    text += shown
  }
  return text
}

/** The codes as characters; undefined unless the font can give them that meaning. */
function asciiOf(font: Font | undefined, codes: Buffer): string | undefined {
  if (font === undefined || font.codeBytes !== 1) return undefined
  const text = codes.toString('latin1')
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    const unit = font.units[code] ?? OTHER_UNIT
    if (code > 0x7e || (unit !== IGNORED_UNIT && unit !== unitOf(text.charAt(index)))) return undefined
  }
  return text
}
