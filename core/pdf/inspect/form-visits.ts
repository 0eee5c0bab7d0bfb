// Keeps Form XObjects that draw each other from costing more than they weigh: no recursion, bounded depth, and what is known of
// a form is not worked out again. The number of streams that are read at all is bounded where they are decoded.
import type { Font, Form } from './text-scope.ts'

/** Viewers give up at similar depths; text below is not searched. */
const MAX_DEPTH = 16

export interface FormVisits {
  /** Forms being read now, outermost first. */
  readonly open: number[]
  /** Whether a form shows a marker, by its key; only forms whose text depends on nothing else are in it. */
  readonly probed: Map<string, boolean>
}

export function newFormVisits(): FormVisits {
  return { open: [], probed: new Map() }
}

/** What a form's text depends on besides its own bytes is the font in force; without resources of its own it has no key. */
export function formKey(form: Form, font: Font | undefined): string | undefined {
  return form.ownScope ? `${form.id} ${font?.id ?? ''}` : undefined
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
