// Text that people chose (names, titles, messages), made fit to be shown where its form matters: in headers, file names and mails. What is
// written stays; what cannot be seen and changes how the rest is read goes.

// Marks that make text read backwards (invoice-fdp.exe), joined by nothing but harm: letters carry their own direction.
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu
/** Control characters other than line feed, and the byte order mark. */
const CONTROLS = /[\p{Cc}\ufeff]/gu

/** One line: composed (NFC), without control characters and direction marks, white space joined to single spaces. */
export function toVisibleLine(text: string): string {
  return toVisibleText(text).replaceAll(/\s+/gu, ' ').trim()
}

/** Lines kept: composed (NFC), breaks as line feeds, tabs as spaces, without control characters and direction marks. */
export function toVisibleText(text: string): string {
  const lines = text.toWellFormed().normalize('NFC').replaceAll(LINE_BREAKS, '\n').replaceAll('\t', ' ').split('\n')
  return lines
    .map((line) => line.replaceAll(CONTROLS, '').replaceAll(DIRECTION_MARKS, ''))
    .join('\n')
    .trim()
}
