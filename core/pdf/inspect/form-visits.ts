// Keeps Form XObjects that draw each other from costing more than they weigh: no recursion, bounded depth, and what is known of
// a form is not worked out again. The number of streams that are read at all is bounded where they are decoded.
import type { Font, Form } from './text-scope.ts'

/** Viewers give up at similar depths; text below is not searched. */
const MAX_DEPTH = 16

export interface FormVisits {
  /** Forms being read now, outermost first. */
  readonly open: number[]
  /** Whether a form shows a marker, by its key; only forms whose text depends on nothing else are in it. */
  readonly probed: Map<number, boolean>
}

export function newFormVisits(): FormVisits {
  return { open: [], probed: new Map() }
}

/** Object numbers stay below 2^23 (openPdf), and ids of fonts that are no objects above -2^23. */
const FONT_IDS = 2 ** 24

/**
 * A number for the form and the font in force, for that is all that a form's text depends on; undefined for a form without
 * resources of its own, which depends on those of the page as well.
 */
export function formKey(form: Form, font: Font | undefined): number | undefined {
  return form.ownScope ? form.id * FONT_IDS + FONT_IDS / 2 + (font?.id ?? 0) : undefined
}

/**
 * Runs `read` over the form's content and answers what it answers; undefined without running it when the form is being read
 * already, lies too deep or can't be decoded.
 */
export function visitForm(visits: FormVisits, form: Form, read: (content: Buffer) => boolean): boolean | undefined {
  if (visits.open.length >= MAX_DEPTH || visits.open.includes(form.id)) return undefined
  const content = form.content()
  if (content === undefined) return undefined
  visits.open.push(form.id)
  const result = read(content)
  visits.open.pop()
  return result
}
