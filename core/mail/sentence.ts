// Sentences of emails with users' text in them, shown as text and as HTML.
import { type Html, html } from '#core/platform/text/html.ts'

/** Text that a user wrote, as one visible line. */
export interface UserText {
  readonly written: string
  readonly strong?: boolean
}

export type Sentence = string | readonly (string | UserText)[]

/** A template tag: keeps users' text apart from ours. */
export function sentence(literals: TemplateStringsArray, ...parts: readonly (string | UserText)[]): Sentence {
  return literals.flatMap((literal, index) => [literal, ...parts.slice(index, index + 1)])
}

/** The sentence without markup. */
export function toPlainText(parts: Sentence): string {
  if (typeof parts === 'string') return parts
  return parts.map((part) => (typeof part === 'string' ? part : part.written)).join('')
}

/** The sentence as HTML. Users' text is isolated, so that its writing direction does not affect the text around it. */
export function toHtml(parts: Sentence): Html {
  if (typeof parts === 'string') return html`${parts}`
  return html`${parts.map((part) => (typeof part === 'string' ? part : isolate(part)))}`
}

function isolate({ written, strong }: UserText): Html {
  const isolated = html`<bdi dir="auto">${written}</bdi>`
  return strong === true ? html`<strong style="font-weight:600;color:#131c30">${isolated}</strong>` : isolated
}
