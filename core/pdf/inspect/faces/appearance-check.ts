// Fields and notes that each viewer draws by itself: with a value, a text or a shape but no appearance, or in a form that asks viewers to draw its fields
// again (NeedAppearances, ISO 32000-2, table 224) and shows something else than it holds.
import { irregular, type PdfError } from '../../pdf-error.ts'
import { readAcroForm } from '../../read/form-fields.ts'
import type { PdfPage } from '../../read/page-tree.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { textOf } from '../../read/text-string.ts'
import { countOf, isNull, type PdfDict, type PdfValue } from '../../read/value.ts'
import { newContentReader } from '../content-reader.ts'
import { newContentDecoder, withFallback } from '../decode-content.ts'
import { dictOf, itemsOf, nameEntry } from '../entries.ts'
import { type FieldValue, fieldValueOf } from './field-values.ts'
import { shownText, type TextTools } from './shown-text.ts'
import { newTextResources } from '../text-resources.ts'

/** Every viewer draws highlights, underlines and ink alike; icons and the borders of links are a matter of the viewer. */
const SHAPES: ReadonlySet<string | undefined> = new Set(['Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Caret', 'Redact'])

const HIDDEN = 2
const NO_VIEW = 32

/** An annotation that needs an appearance. */
export interface MissingAppearance {
  readonly page: PdfPage
  /** Its place in the annotations of the page. */
  readonly index: number
  readonly kind: 'text' | 'button' | 'note' | 'stamp' | 'shape'
  readonly value: Pick<FieldValue, 'text' | 'multiline' | 'appearance' | 'alignment'>
  /** A clause without the page: `the field "price" has a value and no appearance`. */
  readonly reason: string
}

/** The check of the annotations of a page. */
export function openAppearanceCheck(file: PdfFile, report: (missing: MissingAppearance) => void): (page: PdfPage) => void {
  const redraws = needsAppearances(file)
  const decoder = newContentDecoder(file)
  const tools = { file, decoder, reader: newContentReader(), resources: newTextResources(file, decoder) }
  return (page) => {
    for (const [index, item] of itemsOf(file, page.dict.entries.get('Annots')).entries()) {
      const annotation = withFallback(() => dictOf(file, item), undefined)
      if (annotation === undefined || !isVisible(file, annotation)) continue
      const found = findMissing(tools, annotation, redraws)
      if (found !== undefined) report({ ...found, page, index })
    }
  }
}

/** Whether the form asks viewers to draw its fields again. */
export function needsAppearances(file: PdfFile): boolean {
  const flag = file.resolve(readAcroForm(file)?.entries.get('NeedAppearances'))
  return flag.kind === 'keyword' && flag.word === 'true'
}

/** The refusal of a document with such an annotation. */
export function appearanceError({ reason, page }: MissingAppearance): PdfError {
  return irregular(`${reason}, on page ${page.index + 1}`)
}

type Found = Omit<MissingAppearance, 'page' | 'index'>

function findMissing(tools: TextTools, annotation: PdfDict, redraws: boolean): Found | undefined {
  const { file } = tools
  const subtype = nameEntry(file, annotation, 'Subtype')
  const normal = file.resolve(dictOf(file, annotation.entries.get('AP'))?.entries.get('N'))
  if (subtype === 'Widget') {
    const value = fieldValueOf(file, annotation)
    return value && fieldWithout(tools, normal, value, redraws)
  }
  return isDrawn(file, annotation, normal) ? undefined : noteWithout(file, annotation, subtype)
}

/** Whether a note has an appearance, in its state if it has states. */
function isDrawn(file: PdfFile, annotation: PdfDict, normal: PdfValue): boolean {
  const shown = normal.kind === 'dict' ? file.resolve(normal.entries.get(nameEntry(file, annotation, 'AS') ?? '')) : normal
  return shown.kind === 'stream'
}

function noteWithout(file: PdfFile, annotation: PdfDict, subtype: string | undefined): Found | undefined {
  if (subtype === 'FreeText') return textWithout(file, annotation)
  if (subtype === 'Stamp') return stampWithout(nameEntry(file, annotation, 'Name') ?? 'Draft')
  return SHAPES.has(subtype) ? { kind: 'shape', value: NO_TEXT, reason: `a note (${subtype}) has no appearance` } : undefined
}

function fieldWithout(tools: TextTools, shown: PdfValue, value: FieldValue, redraws: boolean): Found | undefined {
  const { kind, name } = value
  if (isNull(shown)) {
    const reason = `the field "${name}" has a value and no appearance`
    return value.text.trim() === '' ? undefined : { kind, value, reason }
  }
  const differs = redraws && kind === 'text' && !value.isList && !showsValue(tools, shown, value)
  return differs ? { kind, value, reason: `the field "${name}" does not show the value that it holds` } : undefined
}

function textWithout(file: PdfFile, annotation: PdfDict): Found | undefined {
  const contents = file.resolve(annotation.entries.get('Contents'))
  const text = contents.kind === 'string' ? textOf(contents) : ''
  const appearance = file.resolve(annotation.entries.get('DA'))
  if (text.trim() === '') return undefined
  const value = {
    text,
    multiline: true,
    appearance: appearance.kind === 'string' ? textOf(appearance) : '',
    alignment: countOf(file.resolve(annotation.entries.get('Q'))) ?? 0,
  }
  return { kind: 'note', value, reason: 'a note has no appearance' }
}

const NO_TEXT = { text: '', multiline: false, appearance: '', alignment: 0 }

/** The words of its name, in red and in capitals: `NotApproved` (ISO 32000-2, table 184). */
function stampWithout(name: string): Found {
  const text = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase()
  return { kind: 'stamp', value: { ...NO_TEXT, text, appearance: '1 0 0 rg', alignment: 1 }, reason: 'a stamp has no appearance' }
}

/** Blanks do not count: lines and combs have none. */
function showsValue(tools: TextTools, appearance: PdfValue, { text }: FieldValue): boolean {
  const shown = appearance.kind === 'stream' ? shownText(tools, appearance) : undefined
  return shown !== undefined && withoutBlanks(shown) === withoutBlanks(text)
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/gu, '')
}

function isVisible(file: PdfFile, annotation: PdfDict): boolean {
  const flags = countOf(file.resolve(annotation.entries.get('F'))) ?? 0
  const [left, bottom, right, top] = itemsOf(file, annotation.entries.get('Rect')).map((item) => {
    const number = file.resolve(item)
    return number.kind === 'number' ? number.value : Number.NaN
  })
  return (flags & (HIDDEN | NO_VIEW)) === 0 && left !== right && bottom !== top
}
