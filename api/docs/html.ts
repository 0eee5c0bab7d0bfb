// HTML as values: whatever is put into a template is escaped unless it is HTML itself.

export interface Html {
  readonly html: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** A template whose insertions are escaped; lists are joined, `false` and `undefined` leave nothing. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: literals.map((literal, index) => literal + render(parts[index])).join('') }
}

/** Text that is HTML already. */
export function trusted(text: string): Html {
  return { html: text }
}

/** A name for an anchor: small letters, digits and hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return 'html' in part ? part.html : part.map(render).join('')
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
