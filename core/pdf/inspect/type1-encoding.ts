// The built-in encoding of a Type 1 font program, in its clear-text part: `dup 123 /braceleft put` (Adobe Type 1 Font Format, 2.2). TeX
// documents need it: they put the braces of a marker at codes that are letters in Latin text.
const CLEAR_PART_BYTES = 65_536
const MAX_CODES = 256

/** Glyph names by code; undefined for a program with the standard encoding, which agrees with Latin text. */
export function readType1Encoding(program: Buffer): Map<number, string> | undefined {
  const clear = program.toString('latin1', 0, CLEAR_PART_BYTES)
  const start = clear.indexOf('/Encoding')
  const end = clear.search(/\beexec\b/)
  const encoding = start < 0 ? '' : clear.slice(start, end < start ? undefined : end)
  const names = new Map<number, string>()
  for (const [, code, name] of encoding.matchAll(/\bdup\s+(\d{1,3})\s*\/([^\s/]{1,60})\s+put\b/g)) {
    if (names.size < MAX_CODES) names.set(Number(code), name ?? '')
  }
  return names.size === 0 ? undefined : names
}
