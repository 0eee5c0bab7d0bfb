// Characters of glyph names, as far as markers need them: the names of the Adobe Glyph List for their characters and blanks, and
// the general forms uniXXXX and uXXXXXX. Specification of the list, section 2: what follows a point is a variant.
const NAMED = new Map([
  ['braceleft', '{'],
  ['braceright', '}'],
  ['space', ' '],
  ['nbspace', ' '],
  ['nonbreakingspace', ' '],
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].map(
    (name, digit) => [name, String(digit)] as const,
  ),
])

/** The text of a glyph name, or undefined for a name that is no part of a marker or not known. */
export function glyphText(name: string): string | undefined {
  const [base = ''] = name.split('.')
  if (/^[a-z]$/.test(base)) return base
  const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(base)
  if (code === null) return NAMED.get(base)
  const point = Number.parseInt(code[1] ?? code[2] ?? '', 16)
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
