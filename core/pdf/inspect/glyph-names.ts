// Characters of glyph names, as far as markers need them: the names of the Adobe Glyph List for their characters and blanks, and
// the general forms: uni or u and the code in hexadecimal digits. Specification of the list, section 2: what follows a point is a variant.
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

/**
 * The text of the glyph that an encoding puts at `code`; undefined for a name that is no part of a marker or not known. Names
 * like a123 that repeat the code (bitmap fonts of TeX have them) say that the code is a plain character.
 */
export function glyphText(name: string, code: number): string | undefined {
  const [base = ''] = name.split('.')
  if (/^[a-z]$/.test(base)) return base
  if (Number(/^[A-Za-z](\d{2,3})$/.exec(base)?.[1]) === code) return String.fromCharCode(code)
  const unicode = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(base)
  if (unicode === null) return NAMED.get(base)
  const point = Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16)
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
