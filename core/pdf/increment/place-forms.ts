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
  /** Index of the form's layout: one is drawn for each size. */
  readonly layout: number
  /** A part of the form's area that is painted white first, to hide the text of the marker: left, bottom, right, top. */
  readonly hidden?: readonly [number, number, number, number]
}

/** An inserted form and its placement. */
export interface Seal {
  readonly placement: Placement
  readonly form: FormBundle
  /** The object number of the form. */
  readonly num: number
}

/** Writes each placed layout of a form once. Throws RangeError for a placement without a form. */
export function placeForms(
  writer: IncrementWriter,
  { forms, placements }: { forms: readonly FormBundle[]; placements: readonly Placement[] },
): Seal[] {
  const numbers = new Map<number, ReadonlyMap<number, number>>()
  return placements.map((placement) => {
    const form = forms[placement.form]
    if (form === undefined) throw new RangeError(`there is no form ${placement.form}`)
    const layouts = placements.filter((other) => other.form === placement.form).map(({ layout }) => layout)
    const written = numbers.get(placement.form) ?? putLayouts(writer, form, layouts)
    numbers.set(placement.form, written)
    const num = written.get(placement.layout)
    if (num === undefined || placement.layout >= form.layouts)
      throw new RangeError(`form ${placement.form} has no layout ${placement.layout}`)
    return { placement, form, num }
  })
}

/** The operators that draw the seals as artifacts: they are not page content (ISO 32000-2, 14.8.2.2). */
export function drawingOf(seals: readonly Seal[], namePrefix: string): string {
  const lines = seals.map(({ placement }) => {
    const matrix = placement.matrix.map(formatNumber).join(' ')
    return `/Artifact BMC q ${matrix} cm ${hideText(placement)}/${nameOf(placement, namePrefix)} Do Q EMC\n`
  })
  return lines.join('')
}

/** The XObject dictionary entries that name the forms, each once. */
export function namesOf(seals: readonly Seal[], namePrefix: string): string {
  const entries = seals.map(({ placement, num }) => `/${nameOf(placement, namePrefix)} ${num} 0 R\n`)
  return [...new Set(entries)].join('')
}

function nameOf({ form, layout }: Placement, namePrefix: string): string {
  return layout === 0 ? `${namePrefix}${form}` : `${namePrefix}${form}L${layout}`
}

// Only the marker's text is painted over: the rest of the panel is transparent.
function hideText({ hidden }: Placement): string {
  if (hidden === undefined) return ''
  const [left, bottom, right, top] = hidden
  return `q 1 g ${[left, bottom, right - left, top - bottom].map(formatNumber).join(' ')} re f Q `
}

/** The object number of each layout. Only what these layouts need is written. */
function putLayouts(writer: IncrementWriter, form: FormBundle, layouts: readonly number[]): Map<number, number> {
  const needed = reachableFrom(form, [...new Set(layouts)])
  const first = allocate(writer, needed.length)
  const numbers = new Map(needed.map((index, place) => [index, first + place]))
  for (const [index, num] of numbers) {
    const object = form.objects[index]
    if (object !== undefined) putObject(writer, num, 0, resolveReferences(object, numbers))
  }
  return numbers
}

/** Indexes of the objects, ascending. */
function reachableFrom({ objects }: FormBundle, layouts: readonly number[]): number[] {
  const found = new Set(layouts)
  // A set's loop also visits what is added meanwhile.
  for (const index of found) {
    for (const piece of objects[index]?.body ?? []) if (typeof piece === 'number') found.add(piece)
  }
  return [...found].toSorted((one, other) => one - other)
}

function resolveReferences({ body, data }: BundleObject, numbers: ReadonlyMap<number, number>): Buffer {
  const pieces = body.map((piece) => (typeof piece === 'number' ? `${numbers.get(piece) ?? 0} 0 R` : piece))
  return data === null ? bytesOf(...pieces) : bytesOf(...pieces, '\nstream\n', data, '\nendstream')
}
