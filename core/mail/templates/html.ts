// Markup that cannot be forged: whatever is put into `html` is escaped, unless it came out of `html` itself.

/** Markup of ours. A plain string is never taken for it. */
export interface Html {
  readonly markup: string
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A template tag: text is escaped for elements and quoted attributes, Html goes in as it is, a list is joined. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  const markup = parts.map((part, index) => part + toMarkup(values[index] ?? '')).join('')
  return { markup }
}

function toMarkup(value: string | number | Html | readonly Html[]): string {
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
