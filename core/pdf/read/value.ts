// The values of PDF syntax (ISO 32000-2, 7.3). Each one keeps the bytes it was written as, so that an edited dictionary can be written with
// every other value byte for byte.

interface Written {
  /** The value is in `bytes` from `start` to before `end`. */
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

export interface PdfDict extends Written {
  readonly kind: 'dict'
  /** Entries in file order. For a duplicate key the last value counts, as in most viewers. */
  readonly entries: ReadonlyMap<string, PdfValue>
  /** A key occurs twice with different values: viewers disagree on this dictionary. */
  readonly ambiguous: boolean
  /** Keys that occur more than once. */
  readonly duplicateKeys: readonly string[]
}

export interface PdfArray extends Written {
  readonly kind: 'array'
  readonly items: readonly PdfValue[]
}

export interface PdfName extends Written {
  readonly kind: 'name'
  /** Without the slash, `#xx` resolved, one character per byte. */
  readonly name: string
}

export interface PdfNumber extends Written {
  readonly kind: 'number'
  readonly value: number
}

export interface PdfString extends Written {
  readonly kind: 'string'
}

export interface PdfRef extends Written {
  readonly kind: 'ref'
  readonly num: number
  readonly gen: number
}

/** `true`, `false`, `null`, and any other bare word, including malformed numbers. */
export interface PdfKeyword extends Written {
  readonly kind: 'keyword'
  readonly word: string
}

/** A stream; `bytes`, `start` and `end` are those of its dictionary. Its data is read from the file on demand. */
export interface PdfStream extends Written {
  readonly kind: 'stream'
  readonly dict: PdfDict
  /** Position of the data, counted from byte 0 of the file. */
  readonly dataStart: number
}

export type PdfValue = PdfDict | PdfArray | PdfName | PdfNumber | PdfString | PdfRef | PdfKeyword | PdfStream

/** The meaning of a missing entry and of a reference to a missing object (ISO 32000-2, 7.3.9 and 7.3.10). */
export const NULL: PdfKeyword = { kind: 'keyword', word: 'null', bytes: Buffer.from('null'), start: 0, end: 4 }

/** The bytes that the value was written as; for a stream, those of its dictionary. */
export function rawOf(value: PdfValue): Buffer {
  return value.bytes.subarray(value.start, value.end)
}

export function isNull(value: PdfValue): boolean {
  return value.kind === 'keyword' && value.word === 'null'
}

/** Whether the value is this name. */
export function isName(value: PdfValue | undefined, name: string): boolean {
  return value?.kind === 'name' && value.name === name
}

/** The value as a non-negative integer; undefined for anything else. */
export function countOf(value: PdfValue | undefined): number | undefined {
  return value?.kind === 'number' && Number.isSafeInteger(value.value) && value.value >= 0 ? value.value : undefined
}
