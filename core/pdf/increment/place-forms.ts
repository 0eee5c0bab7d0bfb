// Inserts the forms of the seals and writes the operators that draw them, the same for page content and for the appearance of the signature field.
import type { BundleObject, FormBundle } from './form-bundle.ts'
import { allocate, type IncrementWriter, putObject } from './increment-writer.ts'
import { bytesOf, formatNumber } from '../read/syntax.ts'

export interface Placement {
  /** Index of the form, and of the page counted from 0. */
  readonly form: number
  readonly page: number
  /** Maps the form, whose lower left corner is the origin, to the default user space of the page. */
  readonly matrix: readonly [number, number, number, number, number, number]
}

/** An inserted form and its placement. */
export interface Seal {
  readonly placement: Placement
  readonly form: FormBundle
  /** The object number of the form. */
  readonly num: number
}

/** Writes each placed form once. Throws RangeError for a placement without a form. */
export function placeForms(
  writer: IncrementWriter,
  { forms, placements }: { forms: readonly FormBundle[]; placements: readonly Placement[] },
): Seal[] {
  const numbers = new Map<number, number>()
  return placements.map((placement) => {
    const form = forms[placement.form]
    if (form === undefined) throw new RangeError(`there is no form ${placement.form}`)
    const num = numbers.get(placement.form) ?? putForm(writer, form)
    numbers.set(placement.form, num)
    return { placement, form, num }
  })
}

/** The operators that draw the seals as artifacts: they are not page content (ISO 32000-2, 14.8.2.2). */
export function drawingOf(seals: readonly Seal[], namePrefix: string): string {
  const lines = seals.map(({ placement }) => {
    const matrix = placement.matrix.map(formatNumber).join(' ')
    return `/Artifact BMC q ${matrix} cm /${namePrefix}${placement.form} Do Q EMC\n`
  })
  return lines.join('')
}

/** The XObject dictionary entries that name the forms, each once. */
export function namesOf(seals: readonly Seal[], namePrefix: string): string {
  const entries = seals.map(({ placement, num }) => `/${namePrefix}${placement.form} ${num} 0 R\n`)
  return [...new Set(entries)].join('')
}

function putForm(writer: IncrementWriter, form: FormBundle): number {
  const first = allocate(writer, form.objects.length)
  for (const [index, object] of form.objects.entries()) putObject(writer, first + index, 0, resolveReferences(object, first))
  return first
}

function resolveReferences({ body, data }: BundleObject, first: number): Buffer {
  const pieces = body.map((piece) => (typeof piece === 'number' ? `${first + piece} 0 R` : piece))
  return data === null ? bytesOf(...pieces) : bytesOf(...pieces, '\nstream\n', data, '\nendstream')
}
