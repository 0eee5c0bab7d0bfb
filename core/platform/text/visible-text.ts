// Makes text that people chose (names, titles, messages) safe to show in headers, file names and emails: removes characters that are invisible and
// change how the rest is read.

// Marks that reverse text (invoice-fdp.exe). Removing them is harmless, because letters carry their own direction.
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu
/** Control characters other than line feed, and the byte order mark. */
const CONTROLS = /[\p{Cc}\ufeff]/gu

/** One line: composed (NFC), without control characters and direction marks, white space collapsed to single spaces. */
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
