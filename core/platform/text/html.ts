// Markup that cannot be injected: everything inserted into `html` is escaped, unless it is Html itself.

/** Markup from our code. A plain string is never treated as markup. */
export interface Html {
  readonly markup: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A template tag: text is escaped for elements and quoted attributes, Html is inserted unchanged, a list is joined, `false` and `undefined` are left
 *  out. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: literals.map((literal, index) => literal + toMarkup(parts[index])).join('') }
}

/** Marks text as markup. */
export function trusted(markup: string): Html {
  return { markup }
}

function toMarkup(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(toMarkup).join('')
  return String(part).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
