// Where a widget can show something: its rectangle, or less when its appearance is written like that of a seal. That one draws only forms,
// and a form shows nothing outside its box, whatever is in it (ISO 32000-2, 8.10.1): so this also holds for a forger's appearance.
import { boxOf } from '../inspect/ink/glyph-ink.ts'
import { boxEntry, matrixEntry } from '../inspect/number-entries.ts'
import { IDENTITY, type Matrix, multiply, transform } from '../inspect/matrix.ts'
import type { Box } from '../read/page-boxes.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfStream, type PdfValue } from '../read/value.ts'
import { dictIn } from './comparison.ts'

/** At most 20 characters, and no two ways to match the same digits: the text is a forger's. */
const NUMBER = '-?(?:\\d{1,10}(?:\\.\\d{1,8})?|\\.\\d{1,8})'
/** As place-forms.ts writes them: a matrix, a white rectangle or none, a form. */
const LINE = new RegExp(
  `^/Artifact BMC q (?<matrix>(?:${NUMBER} ){6})cm (?:q 1 g (?<white>(?:${NUMBER} ){4})re f Q )?/(?<name>[A-Za-z0-9]+) Do Q EMC$`,
)
const MAX_CONTENT_BYTES = 1024 * 1024
const MAX_LINE_BYTES = 1024

/** The areas of the page that the widget with this rectangle can cover. */
export function areasOf(file: PdfFile, widget: PdfDict, rectangle: Box): readonly Box[] {
  return sealAreas(file, widget, rectangle) ?? [rectangle]
}

function sealAreas(file: PdfFile, widget: PdfDict, rectangle: Box): Box[] | undefined {
  const appearance = appearanceOf(file, widget)
  if (appearance === undefined || !isDrawnInPlace(file, appearance, rectangle)) return undefined
  const content = file.decode(appearance)
  const forms = dictIn(file, dictIn(file, appearance.dict.entries.get('Resources'))?.entries.get('XObject'))
  if (content === undefined || content.length > MAX_CONTENT_BYTES || forms === undefined || forms.ambiguous) return undefined
  const areas: Box[] = []
  for (const line of content.toString('latin1').trimEnd().split('\n')) {
    const drawn = areasOfLine(file, forms, line)
    if (drawn === undefined) return undefined
    areas.push(...drawn)
  }
  return areas
}

/** Equal boxes: the appearance is drawn in the user space of the page (12.5.5). */
function isDrawnInPlace(file: PdfFile, { dict }: PdfStream, rectangle: Box): boolean {
  const box = boxEntry(file, dict, 'BBox')
  return !dict.entries.has('Matrix') && box?.every((side, index) => side === rectangle[index]) === true
}

/** The one appearance of the widget, if it has no other states or matrix. */
function appearanceOf(file: PdfFile, widget: PdfDict): PdfStream | undefined {
  const looks = dictIn(file, widget.entries.get('AP'))
  if (looks === undefined || looks.ambiguous || looks.entries.size !== 1) return undefined
  return formIn(file, looks.entries.get('N'))
}

function formIn(file: PdfFile, value: PdfValue | undefined): PdfStream | undefined {
  const form = file.resolve(value)
  if (form.kind !== 'stream' || form.dict.ambiguous) return undefined
  return isName(file.resolve(form.dict.entries.get('Subtype')), 'Form') ? form : undefined
}

function areasOfLine(file: PdfFile, forms: PdfDict, line: string): Box[] | undefined {
  const { matrix, white, name = '' } = partsOf(line)
  if (matrix === undefined) return undefined
  const form = formIn(file, forms.entries.get(name))
  const box = form && boxEntry(file, form.dict, 'BBox')
  const own = form && ownMatrix(file, form)
  if (box === undefined || own === undefined) return undefined
  const toPage = matrixFrom(numbersIn(matrix))
  const drawn = transformBox(multiply(own, toPage), box)
  return white === undefined ? [drawn] : [drawn, transformBox(toPage, boxFrom(numbersIn(white)))]
}

function partsOf(line: string): Partial<Record<string, string>> {
  return (line.length <= MAX_LINE_BYTES && LINE.exec(line)?.groups) || {}
}

function ownMatrix(file: PdfFile, { dict }: PdfStream): Matrix | undefined {
  return dict.entries.has('Matrix') ? matrixEntry(file, dict, 'Matrix') : IDENTITY
}

function numbersIn(text: string): number[] {
  return text.trimEnd().split(' ').map(Number)
}

function matrixFrom([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]): Matrix {
  return [a, b, c, d, e, f]
}

/** From a corner and sizes. */
function boxFrom([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Box {
  return [x, y, x + width, y + height]
}

function transformBox(matrix: Matrix, [left, bottom, right, top]: Box): Box {
  return boxOf([
    transform(matrix, left, bottom),
    transform(matrix, right, bottom),
    transform(matrix, left, top),
    transform(matrix, right, top),
  ])
}
