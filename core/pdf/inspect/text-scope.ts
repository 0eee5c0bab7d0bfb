// What the interpreters need of a page's or form's resources. It has no PDF objects, so both interpreters can be tested with bytes alone.
import type { Box } from '../read/page-boxes.ts'
import type { CodeTexts } from './marker-units.ts'
import type { Matrix } from './matrix.ts'

export interface Font extends CodeTexts {
  readonly id: number
  readonly codeBytes: 1 | 2
  /** Read on first use, because the first pass does not need it. */
  metrics(): FontMetrics
}

export interface FontMetrics {
  /** Displacement of a code at font size 1, in text space; along the y axis when `vertical`. */
  advance(code: number): number
  readonly vertical: boolean
  /** Height of the text at font size 1. */
  readonly height: number
}

export interface Form {
  readonly id: number
  /** Own resources make the form's text independent of the page. */
  readonly ownScope: boolean
  readonly scope: TextScope
  readonly matrix: Matrix
  /** Clips the form, in its own space; undefined when it is damaged. */
  readonly box: Box | undefined
  /** The decoded content; undefined when it can't be decoded. */
  content(): Buffer | undefined
}

export interface TextScope {
  font(name: string): Font | undefined
  /** The Form XObject with that name; undefined for images and unknown names. */
  form(name: string): Form | undefined
  /** Whether 1 is the darkest value of the colour space with that name, as in a spot colour. */
  isTint(name: string): boolean
}

/** The code whose last byte is at `at`. */
export function codeEndingAt(bytes: Buffer, at: number, codeBytes: 1 | 2): number {
  const low = bytes[at] ?? 0
  return codeBytes === 1 ? low : ((bytes[at - 1] ?? 0) << 8) | low
}
