// Seals a document without signing it, and reads what the increment added.
import type { FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { walkFields } from '#core/pdf/read/form-fields.ts'
import { type Increment, type IncrementInput, writeIncrement } from '#core/pdf/increment/increment.ts'
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import { readSealPlan, type SealPlan } from '#core/pdf/plan/seal-plan.ts'
import { type PdfDict, type PdfValue, rawOf } from '#core/pdf/read/value.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { drawSealForm } from '../../../../support/builders/seal-form.ts'

export const form: FormBundle = await drawSealForm()

export const AT: Placement = { form: 0, page: 0, matrix: [1, 0, 0, 1, 20.5, 30], layout: 0 }

export interface Sealed {
  readonly plan: SealPlan
  readonly increment: Increment
  readonly original: Buffer
  readonly bytes: Buffer
  readonly file: PdfFile
}

export function seal(original: Buffer, input: Partial<IncrementInput> = {}, pages = [0]): Sealed {
  const plan = readSealPlan(openBytes(original), pages)
  const increment = writeIncrement(plan, {
    forms: [form],
    placements: [AT],
    signatureEntries: '/Type/Sig/Filter/Adobe.PPKLite',
    contentsBytes: 100,
    fieldDescription: 'A seal',
    documentIdSeed: Buffer.from('seed'),
    ...input,
  })
  const bytes = Buffer.concat([original, increment.bytes])
  return { plan, increment, original, bytes, file: openBytes(bytes) }
}

export function dictOf(value: PdfValue): PdfDict {
  if (value.kind === 'stream') return value.dict
  if (value.kind !== 'dict') throw new Error('not a dictionary')
  return value
}

export function raw(dict: PdfDict, key: string): string | undefined {
  const value = dict.entries.get(key)
  return value && rawOf(value).toString('latin1')
}

/** The widget of the new field, found through the form. */
export function widgetOf({ file, plan }: Sealed): PdfDict {
  for (const field of walkFields(file)) {
    if (field.partialName === plan.fieldName) return field.dict
  }
  throw new Error('the form does not list the field')
}
