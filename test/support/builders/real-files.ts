// How each file of test/fixtures/real-files is accepted.

/** `read`: as it is. `trimmed`: without bytes at its ends. `written again`: by the PDF library. */
export type Way = 'read' | 'trimmed' | 'written again'

/** The file, the way, and the reason that the answer gives. */
export const REAL_FILES: readonly (readonly [string, Way, string])[] = [
  ['00-good', 'read', ''],
  ['01-xref-19-byte-entries', 'written again', 'Its cross-reference table is damaged.'],
  ['02-xref-21-byte-entries', 'written again', 'Its cross-reference table is damaged.'],
  ['03-size-one-too-small', 'written again', 'Its trailer counts too few objects.'],
  ['04-duplicate-key-in-catalog', 'written again', 'Its catalog has the same key twice.'],
  ['05-junk-3000-after-eof', 'trimmed', 'Its end is missing.'],
  ['06-html-after-eof-3000', 'trimmed', 'Its end is missing.'],
  ['07-leading-newline-offsets-from-header', 'trimmed', 'There are bytes before its header.'],
  ['08-leading-newline-offsets-from-start', 'written again', 'There are bytes before its header.'],
  ['09-offsets-off-by-one', 'written again', 'An object is not where the cross-reference table says.'],
  ['10-contents-array-with-null', 'written again', 'A part of the content of page 1 is null.'],
  ['11-xref-starts-at-1', 'written again', 'Its catalog is damaged.'],
  ['12-no-eof', 'read', ''],
  ['13-startxref-0', 'written again', 'Its cross-reference stream is damaged.'],
  ['14-length-wrong', 'written again', 'A stream in it has a wrong length.'],
  ['15-page-count-wrong', 'written again', 'Its page tree counts its pages wrongly.'],
  ['16-kids-with-null', 'written again', 'Its page tree is damaged.'],
  ['17-duplicate-key-in-page', 'read', ''],
  ['18-zero-padded-after-eof', 'trimmed', 'Its end is missing.'],
  ['19-duplicate-key-in-info', 'read', ''],
  ['20-crlf-converted', 'written again', 'An object is not where the cross-reference table says.'],
  ['21-page-without-type', 'read', ''],
  ['22-header-at-1000', 'trimmed', 'There are bytes before its header.'],
  ['23-missing-ref-in-contents', 'written again', 'A reference on page 1 leads to object 99, which is missing.'],
  ['24-form-format-js', 'read', ''],
  ['25-truncated-last-10-bytes', 'written again', 'Its end is missing.'],
  ['26-encrypted-rc4-40', 'written again', 'It was encrypted, with an empty password.'],
  ['27-encrypted-rc4-128', 'written again', 'It was encrypted, with an empty password.'],
  ['28-encrypted-aes-128', 'written again', 'It was encrypted, with an empty password.'],
  ['29-encrypted-aes-256', 'written again', 'It was encrypted, with an empty password.'],
]
