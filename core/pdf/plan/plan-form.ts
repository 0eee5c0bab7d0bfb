// What the new signature field changes in catalog and form (ISO 32000-2, 12.7.3), as finished objects: they do not depend on the seal,
// because the number of its widget is known in advance.
import { type FormField, readAcroForm, walkFields } from '../read/form-fields.ts'
import { malformed } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { lockFields, type Update } from './lock-fields.ts'
import { type Base64, pack, type Packer, type PlannedObject } from './pack.ts'
import { bytesOf, rawDict, rawItems } from '../read/syntax.ts'
import { countOf, isNull, type PdfDict, type PdfValue } from '../read/value.ts'

export interface PlannedForm {
  /** A name for the new signature field that no other field has. */
  readonly fieldName: string
  /** Number of existing signatures. */
  readonly signatures: number
  /** The changed ones of catalog, form and field list, with the new field included, and of the other fields, locked. */
  readonly formUpdates: readonly PlannedObject[]
  /** The names of the fields that the seal locks, as items of an array; null when there is none. */
  readonly lockedFields: Base64 | null
  /** Fields that could be filled before the seal, and fields that lose their format scripts. */
  readonly fillableFields: number
  readonly scriptsDropped: number
}

const FIELD_NAME = 'Sealwright'
const SIGNATURES_EXIST_APPEND_ONLY = 3
const NO_NEW_APPEARANCES: [string, string] = ['NeedAppearances', 'false']
const SIG_FLAGS: [string, string] = ['SigFlags', String(SIGNATURES_EXIST_APPEND_ONLY)]
// PAdES is declared as this extension of PDF 1.7 (ETSI EN 319 142-1, 5.6); PDF 2.0 includes it.
const PADES_EXTENSION: [string, string] = ['ESIC', '<</BaseVersion/1.7/ExtensionLevel 2>>']

/** Reads the form and prepares its updates; the widget of the new field gets the number `file.size`. `pagesAreSafe`: seals can be drawn into page content. */
export function readPlannedForm(file: PdfFile, packer: Packer, pagesAreSafe: boolean): PlannedForm {
  const names = new Set<string>()
  let signatures = 0
  let drawnByViewer = false
  const fields: FormField[] = []
  for (const field of walkFields(file)) {
    fields.push(field)
    if (field.topLevel && field.partialName !== undefined) names.add(field.partialName)
    if (field.signature !== undefined) signatures++
    if (field.drawnByViewer) drawnByViewer = true
  }
  const sealInField = signatures > 0 || !pagesAreSafe
  const locks = lockFields(file, fields, signatures > 0)
  const updates = [...updatesOf(file, signatures === 0 || (sealInField && !drawnByViewer)), ...locks.updates]
  return {
    fieldName: freeName(names),
    signatures,
    formUpdates: updates.map(({ ref, body }) => ({ num: ref.num, gen: ref.gen, body: pack(packer, body) })),
    lockedFields: locks.names.length === 0 ? null : pack(packer, locks.names),
    fillableFields: locks.fillable,
    scriptsDropped: locks.scriptsDropped,
  }
}

function freeName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? FIELD_NAME : `${FIELD_NAME}${number}`
    if (!taken.has(name)) return name
  }
}

function updatesOf(file: PdfFile, mayDropNeedAppearances: boolean): Update[] {
  const catalog = file.catalog()
  const root = file.trailer.entries.get('Root')
  if (root?.kind !== 'ref') throw malformed('its catalog is damaged')
  const list = listUpdate(file)
  const form = formBody(file, list, mayDropNeedAppearances)
  const place = catalog.entries.get('AcroForm')
  const updates = list === undefined ? [] : [list]
  const entries: [string, Buffer][] = []
  if (form !== undefined) {
    if (place?.kind === 'ref' && !isNull(file.resolve(place))) updates.push({ ref: place, body: form })
    else entries.push(['AcroForm', form])
  }
  const extensions = extensionsFor(file, catalog)
  if (extensions !== undefined) entries.push(['Extensions', extensions])
  return entries.length === 0 ? updates : [...updates, { ref: root, body: rawDict(catalog, [], entries) }]
}

/** The field list with the new field, where the list is an object of its own. */
function listUpdate(file: PdfFile): Update | undefined {
  const place = readAcroForm(file)?.entries.get('Fields')
  return place?.kind === 'ref' && !isNull(file.resolve(place)) ? { ref: place, body: fieldsOf(file, place) } : undefined
}

/** The updated form dictionary; undefined when nothing changes. */
function formBody(file: PdfFile, list: Update | undefined, mayDropNeedAppearances: boolean): Buffer | undefined {
  const form = readAcroForm(file)
  if (form === undefined) return rawDict(undefined, [], [['Fields', fieldsOf(file, undefined)], SIG_FLAGS])
  // With NeedAppearances, viewers redraw all fields, and a seal inside a field disappears. The inspection has made sure that the fields of an unsigned
  // document show their values without it; in a signed one it stays unless it is in the way.
  const needAppearances = file.resolve(form.entries.get('NeedAppearances'))
  const drops = mayDropNeedAppearances && needAppearances.kind === 'keyword' && needAppearances.word === 'true'
  const flags = countOf(file.resolve(form.entries.get('SigFlags')))
  if (list !== undefined && !drops && flags === SIGNATURES_EXIST_APPEND_ONLY) return undefined
  const fields: [string, Buffer][] = list === undefined ? [['Fields', fieldsOf(file, form.entries.get('Fields'))]] : []
  return rawDict(form, [], [...fields, SIG_FLAGS, ...(drops ? [NO_NEW_APPEARANCES] : [])])
}

function fieldsOf(file: PdfFile, place: PdfValue | undefined): Buffer {
  const list = file.resolve(place)
  if (list.kind !== 'array' && !isNull(list)) throw malformed('its form is damaged')
  return bytesOf('[', rawItems(list), `${file.size} 0 R]`)
}

/** The value of Extensions with the PAdES entry added; undefined when the document has it or needs none. */
function extensionsFor(file: PdfFile, catalog: PdfDict): Buffer | undefined {
  const version = file.resolve(catalog.entries.get('Version'))
  if (isPdf2(file.headerVersion) || (version.kind === 'name' && isPdf2(version.name))) return undefined
  const extensions = file.resolve(catalog.entries.get('Extensions'))
  if (isNull(extensions)) return rawDict(undefined, [], [PADES_EXTENSION])
  if (extensions.kind !== 'dict' || extensions.ambiguous) throw malformed('its catalog is damaged')
  return extensions.entries.has('ESIC') ? undefined : rawDict(extensions, [], [PADES_EXTENSION])
}

function isPdf2(version: string): boolean {
  return Number.parseInt(version, 10) >= 2
}
