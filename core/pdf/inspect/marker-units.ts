// The characters that the marker scan distinguishes: those of {{signerN}}, those it skips, and all others as one. Font tables store nothing
// else, so a hostile font cannot make them large.

/** Table entries that are not a character: skipped, irrelevant, or a text of several characters. */
export const IGNORED_UNIT = 0
export const OTHER_UNIT = 0xffff
export const SEQUENCE_UNIT = 0xfffe

/** Blanks of every width, including zero: letters are often spread by them. A glyph without text counts as one. */
const BLANK = /^[\s\p{Cc}\p{Cf}]*$/u
const MARKER_CHARACTER = /[{}signer0-9]/

/** The entry for a glyph with this text: a UTF-16 unit or one of the three constants. */
export function unitOf(text: string): number {
  if (BLANK.test(text)) return IGNORED_UNIT
  if (!MARKER_CHARACTER.test(text)) return OTHER_UNIT
  return text.length === 1 ? text.charCodeAt(0) : SEQUENCE_UNIT
}

/** The entry for every UTF-16 unit: a range of codes is filled by copying a range of these. */
export const UNIT_ENTRIES: Uint16Array = Uint16Array.from({ length: 65_536 }, (_, unit) => unitOf(String.fromCharCode(unit)))

/** The text of a font's codes. */
export interface CodeTexts {
  /** Units by code; codes beyond its end are OTHER_UNIT. */
  readonly units: Uint16Array
  /** Texts of the codes whose unit is SEQUENCE_UNIT. */
  readonly sequences: Map<number, string>
}
