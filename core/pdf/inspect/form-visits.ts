// Bounds the cost of Form XObjects that draw each other: no recursion, limited depth, and cached results. The number of streams is limited in decode-content.ts.
import type { Font, Form } from './text-scope.ts'

/** Viewers stop at similar depths; deeper text is not searched. */
const MAX_DEPTH = 16

export interface FormVisits {
  /** Forms being read, outermost first. */
  readonly open: number[]
  /** Whether a form shows a marker, by its key; holds only forms whose text depends on nothing else. */
  readonly probed: Map<number, boolean>
}

export function newFormVisits(): FormVisits {
  return { open: [], probed: new Map() }
}

/** Object numbers are below 2^23 (openPdf), and ids of fonts that are direct objects above -2^23. */
const FONT_IDS = 2 ** 24

/**
 * A key for the form and the current font, which is all that a form's text depends on; undefined for a form without resources of its own,
 * which also depends on those of the page.
 */
export function formKey(form: Form, font: Font | undefined): number | undefined {
  return form.ownScope ? form.id * FONT_IDS + FONT_IDS / 2 + (font?.id ?? 0) : undefined
}

/**
 * Runs `read` on the form's content and returns its result; undefined without running it when the form is already being read, is too deep or can't be decoded.
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
