// Walks the fields of the interactive form (ISO 32000-2, 12.7.4) without recursion; a node that occurs twice is visited once.
import { contradictory, malformed, tooComplex } from '../pdf-error.ts'
import type { PdfFile } from './pdf-file.ts'
import { textOf } from './text-string.ts'
import { countOf, isName, isNull, type PdfDict, type PdfRef, type PdfValue } from './value.ts'

export interface FormField {
  readonly dict: PdfDict
  /** Undefined for a field that is not an object of its own. */
  readonly ref: PdfRef | undefined
  readonly parent: FormField | undefined
  /** /FT and /Ff, its own or inherited. */
  readonly type: string | undefined
  readonly flags: number
  /** /T of this node only; undefined for a pure widget. */
  readonly partialName: string | undefined
  /** Whether the form itself lists the field. */
  readonly topLevel: boolean
  /** Whether its own or an inherited type is that of a signature field. */
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
  if (form.kind !== 'dict') throw malformed('its form is damaged')
  if (form.ambiguous) throw contradictory('its form has the same key twice')
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
    const field = fieldOf(file, dict, visit)
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

function fieldOf(file: Objects, dict: PdfDict, { value: place, parent }: FieldVisit): FormField {
  const name = file.resolve(dict.entries.get('T'))
  const type = typeOf(file, dict, parent)
  const isSignature = type === 'Sig'
  const value = file.resolve(dict.entries.get('V'))
  return {
    dict,
    ref: place.kind === 'ref' ? place : undefined,
    parent,
    type,
    flags: flagsOf(file, dict) ?? parent?.flags ?? 0,
    partialName: name.kind === 'string' ? textOf(name) : undefined,
    topLevel: parent === undefined,
    isSignature,
    signature: isSignature && value.kind === 'dict' ? value : undefined,
    drawnByViewer: !isSignature && isName(dict.entries.get('Subtype'), 'Widget') && !hasAppearance(file, dict),
  }
}

function flagsOf(file: Objects, dict: PdfDict): number | undefined {
  return countOf(file.resolve(dict.entries.get('Ff')))
}

function typeOf(file: Objects, dict: PdfDict, parent: FormField | undefined): string | undefined {
  const type = file.resolve(dict.entries.get('FT'))
  if (type.kind === 'name') return type.name
  return isNull(type) ? parent?.type : undefined
}

function hasAppearance(file: Objects, widget: PdfDict): boolean {
  const appearances = file.resolve(widget.entries.get('AP'))
  return appearances.kind === 'dict' && !isNull(file.resolve(appearances.entries.get('N')))
}
