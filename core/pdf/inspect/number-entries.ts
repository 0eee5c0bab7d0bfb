// Reads numbers from untrusted dictionaries: a missing or invalid number is reported as such, not guessed.
import type { PdfFile } from '../read/pdf-file.ts'
import type { Box } from '../read/page-boxes.ts'
import type { PdfDict, PdfValue } from '../read/value.ts'
import type { Matrix } from './matrix.ts'

/** The entry as a number, or undefined. */
export function numberEntry(file: PdfFile, dict: PdfDict, key: string): number | undefined {
  const value = file.resolve(dict.entries.get(key))
  return value.kind === 'number' ? value.value : undefined
}

/** The entry as an array of numbers, with NaN for an item that is not a number; undefined when it is not an array. */
export function numbersEntry(file: PdfFile, dict: PdfDict, key: string): number[] | undefined {
  const value = file.resolve(dict.entries.get(key))
  return value.kind === 'array' ? value.items.map((item) => numberOf(file, item)) : undefined
}

/** The entry as a matrix of six numbers, or undefined. */
export function matrixEntry(file: PdfFile, dict: PdfDict, key: string): Matrix | undefined {
  const [a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN] = numbersEntry(file, dict, key) ?? []
  return Number.isNaN(a + b + c + d + e + f) ? undefined : [a, b, c, d, e, f]
}

/** The entry as a rectangle with its lower left corner first, or undefined. */
export function boxEntry(file: PdfFile, dict: PdfDict, key: string): Box | undefined {
  const [x0 = NaN, y0 = NaN, x1 = NaN, y1 = NaN] = numbersEntry(file, dict, key) ?? []
  if (Number.isNaN(x0 + y0 + x1 + y1)) return undefined
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]
}

/** The value as a number, or NaN. */
export function numberOf(file: PdfFile, value: PdfValue | undefined): number {
  const resolved = file.resolve(value)
  return resolved.kind === 'number' ? resolved.value : NaN
}
