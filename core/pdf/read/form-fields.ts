// Walks the fields of the interactive form (ISO 32000-2, 12.7.4) without recursion; a node that occurs twice is visited once.
import { malformed, tooComplex } from '../pdf-error.ts'
import type { PdfFile } from './pdf-file.ts'
import { textOf } from './text-string.ts'
import { isName, isNull, NULL, type PdfDict, type PdfValue } from './value.ts'

export interface FormField {
  /** The object number; undefined for a dictionary inside of another object. */
  readonly num: number | undefined
  readonly dict: PdfDict
  readonly parent: FormField | undefined
  /** /T of this node only; undefined for a pure widget. */
  readonly partialName: string | undefined
  /** Whether the form itself lists the field. */
  readonly topLevel: boolean
  /** By its own or an inherited type. */
  readonly isSignature: boolean
  /** The signature dictionary of a signed signature field. */
  readonly signature: PdfDict | undefined
  /** A visible widget without an appearance of its own: it shows only if the viewer draws it. */
  readonly drawnByViewer: boolean
}

/** Names of deeper fields would take too long to put together. */
const MAX_DEPTH = 100

type Objects = Pick<PdfFile, 'catalog' | 'resolve' | 'budget'>

interface FieldVisit {
  readonly value: PdfValue
  readonly parent: FormField | undefined
}

/** The form dictionary; undefined without a form. */
export function readAcroForm(file: Objects): PdfDict | undefined {
  const form = file.resolve(file.catalog().entries.get('AcroForm'))
  if (isNull(form)) return undefined
  if (form.kind !== 'dict' || form.ambiguous) throw malformed('its form is damaged')
  return form
}

/** Every field and widget below the form's /Fields, in no particular order. */
export function* walkFields(file: Objects): Generator<FormField> {
  const fields = file.resolve(readAcroForm(file)?.entries.get('Fields'))
  const seen = new Set<number>()
  const waiting = visitsOf(fields, undefined)
  let visited = 0
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    if (visit.value.kind === 'ref') {
      if (seen.has(visit.value.num)) continue
      seen.add(visit.value.num)
    }
    if (++visited > file.budget.limits.objects) throw tooComplex('its form has too many fields')
    const dict = file.resolve(visit.value)
    if (dict.kind !== 'dict') continue
    const num = visit.value.kind === 'ref' ? visit.value.num : undefined
    const field = fieldOf(file, num, dict, visit.parent)
    yield field
    for (const kid of visitsOf(file.resolve(dict.entries.get('Kids')), field)) waiting.push(kid)
  }
}

/** The fully qualified name (12.7.4.2); a pure widget has that of its field. Throws DOCUMENT_TOO_COMPLEX. */
export function fullNameOf(field: FormField): string {
  const names: string[] = []
  let depth = 0
  for (let node: FormField | undefined = field; node !== undefined; node = node.parent) {
    if (++depth > MAX_DEPTH) throw tooComplex('its form is nested too deeply')
    if (node.partialName !== undefined) names.unshift(node.partialName)
  }
  return names.join('.')
}

function visitsOf(list: PdfValue, parent: FormField | undefined): FieldVisit[] {
  return list.kind === 'array' ? list.items.map((value) => ({ value, parent })) : []
}

function fieldOf(file: Objects, num: number | undefined, dict: PdfDict, parent: FormField | undefined): FormField {
  const written = file.resolve(dict.entries.get('T'))
  const partialName = written.kind === 'string' ? textOf(written) : undefined
  const type = file.resolve(dict.entries.get('FT') ?? NULL)
  const isSignature = isNull(type) ? parent?.isSignature === true : isName(type, 'Sig')
  const value = file.resolve(dict.entries.get('V'))
  return {
    num,
    dict,
    parent,
    partialName,
    topLevel: parent === undefined,
    isSignature,
    signature: isSignature && value.kind === 'dict' ? value : undefined,
    drawnByViewer: !isSignature && isName(dict.entries.get('Subtype'), 'Widget') && !hasAppearance(file, dict),
  }
}

function hasAppearance(file: Objects, widget: PdfDict): boolean {
  const appearances = file.resolve(widget.entries.get('AP'))
  return appearances.kind === 'dict' && !isNull(file.resolve(appearances.entries.get('N')))
}
