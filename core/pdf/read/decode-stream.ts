// Runs the filter chain of a stream (ISO 32000-2, 7.4.1). Image data is not decoded: the service never needs it.
import { chargeDecoded, decodingAllowance, type PdfBudget } from '../budget.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, isName, isNull, type PdfDict, type PdfValue } from './value.ts'
import { decodeAscii85, decodeAsciiHex } from '../filters/ascii.ts'
import { decodeFlate } from '../filters/flate.ts'
import { decodeLzw } from '../filters/lzw.ts'
import { undoPredictor } from '../filters/predictor.ts'
import { decodeRunLength } from '../filters/run-length.ts'

export type Resolve = (value: PdfValue | undefined) => PdfValue
type Decoder = (data: Buffer, allowance: number, parameter: (key: string, absent: number) => number) => Buffer

const IMAGE_FILTERS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode'])

const flate: Decoder = (data, allowance, parameter) => unpredicted(decodeFlate(data, allowance), parameter)
const lzw: Decoder = (data, allowance, parameter) =>
  unpredicted(decodeLzw(data, parameter('EarlyChange', 1), allowance), parameter)

/** Decoders by full and by short name; the short ones are meant for inline images but occur elsewhere too. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['FlateDecode', flate],
  ['Fl', flate],
  ['LZWDecode', lzw],
  ['LZW', lzw],
  ['ASCIIHexDecode', decodeAsciiHex],
  ['AHx', decodeAsciiHex],
  ['ASCII85Decode', decodeAscii85],
  ['A85', decodeAscii85],
  ['RunLengthDecode', decodeRunLength],
  ['RL', decodeRunLength],
])

/**
 * Decodes the data of a stream with this dictionary; undefined when the chain ends in an image filter or an unknown Crypt filter. Each
 * stage is charged to the budget. Throws DOCUMENT_INVALID or DOCUMENT_TOO_COMPLEX.
 */
export function decodeStream(dict: PdfDict, data: Buffer, budget: PdfBudget, resolve: Resolve): Buffer | undefined {
  const filters = listOf(dict.entries.get('Filter'), resolve)
  const parameters = listOf(dict.entries.get('DecodeParms'), resolve)
  if (filters.length > budget.limits.filters) throw tooComplex('one of its streams has too many filters')
  let decoded = data
  for (const [index, filter] of filters.entries()) {
    if (filter.kind !== 'name') throw malformed('a stream in it names no filter')
    const stageParameters = resolve(parameters[index])
    if (filter.name === 'Crypt' && isIdentity(stageParameters, resolve)) continue
    if (filter.name === 'Crypt' || IMAGE_FILTERS.has(filter.name)) return undefined
    const decoder = DECODERS.get(filter.name)
    if (decoder === undefined) throw malformed('a stream in it uses an unknown filter')
    decoded = decoder(decoded, decodingAllowance(budget), parameterReader(stageParameters, resolve))
    chargeDecoded(budget, decoded.length)
  }
  return decoded
}

function listOf(value: PdfValue | undefined, resolve: Resolve): PdfValue[] {
  const resolved = resolve(value)
  if (resolved.kind === 'array') return resolved.items.map(resolve)
  return isNull(resolved) ? [] : [resolved]
}

function isIdentity(parameters: PdfValue, resolve: Resolve): boolean {
  if (parameters.kind !== 'dict') return true
  const name = resolve(parameters.entries.get('Name'))
  return isNull(name) || isName(name, 'Identity')
}

function parameterReader(parameters: PdfValue, resolve: Resolve): (key: string, absent: number) => number {
  return (key, absent) => {
    const value = parameters.kind === 'dict' ? resolve(parameters.entries.get(key)) : undefined
    if (value === undefined || isNull(value)) return absent
    const count = countOf(value)
    if (count === undefined) throw malformed('the parameters of its compressed data are damaged')
    return count
  }
}

function unpredicted(data: Buffer, parameter: (key: string, absent: number) => number): Buffer {
  return undoPredictor(data, {
    predictor: parameter('Predictor', 1),
    colors: parameter('Colors', 1),
    bitsPerComponent: parameter('BitsPerComponent', 8),
    columns: parameter('Columns', 1),
  })
}
