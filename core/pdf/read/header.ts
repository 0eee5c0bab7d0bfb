// Both ends of a file: the header, which other bytes may precede, and startxref with its offset (ISO 32000-2, 7.5.2 and 7.5.5).
import type { ByteSource } from './byte-source.ts'
import { firstDefinition } from './definitions.ts'
import { malformed } from '../pdf-error.ts'

const HEADER_WITHIN_BYTES = 1024
const STARTXREF_WITHIN_BYTES = 2048

export interface FileEnds {
  /** Position of `%PDF-`. */
  readonly headerOffset: number
  /** The version in the header, such as "1.7". */
  readonly version: string
  readonly startxref: number
}

/** Finds the header and the last startxref. Throws DOCUMENT_INVALID when one is missing, or when objects follow: an update without its end. */
export function readEnds(source: ByteSource): FileEnds {
  const head = source.read(0, HEADER_WITHIN_BYTES).toString('latin1')
  const headerOffset = head.indexOf('%PDF-')
  if (headerOffset < 0) throw malformed('it does not start like a PDF')
  const version = /^%PDF-(\d\.\d)/.exec(head.slice(headerOffset))?.[1] ?? ''
  const tail = source.read(source.length - STARTXREF_WITHIN_BYTES, source.length)
  const end = tail.subarray(Math.max(0, tail.lastIndexOf('startxref')))
  const digits = /^startxref\s+(\d{1,10})(?!\d)/.exec(end.toString('latin1'))?.[1]
  if (digits === undefined) throw malformed('its end is missing')
  const late = firstDefinition(end)
  if (late !== undefined) throw malformed(`object ${late.num} is after its end`)
  return { headerOffset, version, startxref: Number(digits) }
}
