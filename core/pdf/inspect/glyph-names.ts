// Maps glyph names to characters, as far as markers need them: names of the Adobe Glyph List, and the general forms uni or u plus
// hexadecimal digits. Section 2 of its specification: what follows a full stop is a variant.
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
 * The text of the glyph that an encoding puts at `code`; undefined for an unknown name or one that no marker needs. Names like a123 that
 * repeat the code (TeX bitmap fonts) mean that the code is a plain character.
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
