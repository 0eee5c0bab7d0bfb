// Canonical JSON (RFC 8785), so that anyone can verify a hash over it.
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them. Throws TypeError for values without a canonical form: NaN,
 *  infinity and lone surrogates. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return canonicalScalar(value)
  const members = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([key, member]) => `${canonicalScalar(key)}:${canonicalJson(member)}`).join(',')}}`
}

function canonicalScalar(value: string | number | boolean | null): string {
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('Half a character has no canonical form.')
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('NaN and infinity have no canonical form.')
  return JSON.stringify(value)
}
