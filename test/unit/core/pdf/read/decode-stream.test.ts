import { deflateSync } from 'node:zlib'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { newBudget, PDF_LIMITS, type PdfLimits } from '#core/pdf/budget.ts'
import { decodeStream } from '#core/pdf/read/decode-stream.ts'
import { cursorOver } from '#core/pdf/read/indirect-object.ts'
import { readValue } from '#core/pdf/read/parser.ts'
import { NULL, type PdfDict } from '#core/pdf/read/value.ts'
import { refusalOf } from '../../../../support/judges/open-pdf.ts'

function decode(entries: string, data: Buffer | string, limits: Partial<PdfLimits> = {}): Buffer | undefined {
  const budget = newBudget({ ...PDF_LIMITS, ...limits })
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  return decodeStream(dictOf(entries), bytes, budget, (value) => value ?? NULL)
}

function dictOf(entries: string): PdfDict {
  const dict = readValue(cursorOver(Buffer.from(`<<${entries}>>`), 0, newBudget(PDF_LIMITS)))
  if (dict.kind !== 'dict') throw new Error('not a dictionary')
  return dict
}

function text(entries: string, data: Buffer | string): string | undefined {
  return decode(entries, data)?.toString('latin1')
}

const HELLO = deflateSync('hello')

describe('filters', () => {
  test.each<[string, string, Buffer | string, string | undefined]>([
    ['none', '', 'hello', 'hello'],
    ['Flate', '/Filter/FlateDecode', HELLO, 'hello'],
    ['Flate by its short name', '/Filter/Fl', HELLO, 'hello'],
    ['Flate of nothing', '/Filter/FlateDecode', '', ''],
    ['truncated Flate', '/Filter/FlateDecode', HELLO.subarray(0, -6), 'hell'],
    ['Flate without its checksum', '/Filter/FlateDecode', HELLO.subarray(0, -4), 'hello'],
    ['Flate with a wrong checksum', '/Filter/FlateDecode', Buffer.concat([HELLO.subarray(0, -1), Buffer.from('!')]), 'hello'],
    ['Flate with bytes after its end', '/Filter/FlateDecode', Buffer.concat([HELLO, Buffer.from('\r\n')]), 'hello'],
    ['hexadecimal', '/Filter/ASCIIHexDecode', '68 65\n6C6c6F>', 'hello'],
    ['hexadecimal with an odd digit', '/Filter/AHx', '417>', 'Ap'],
    ['hexadecimal without end', '/Filter/AHx', '4142', 'AB'],
    ['base 85', '/Filter/ASCII85Decode', 'BOu!r\nDZ~>', 'hello'],
    ['base 85 with the short form of zeros', '/Filter/A85', 'z~>', '\0\0\0\0'],
    ['base 85 without end', '/Filter/A85', 'BOu!rDZ', 'hello'],
    ['run length', '/Filter/RunLengthDecode', '\x01he\xffl\x00o\x80rest', 'hello'],
    ['truncated run length', '/Filter/RL', '\x05hell', 'hell'],
    ['a chain', '/Filter[/AHx/FlateDecode]', `${HELLO.toString('hex')}>`, 'hello'],
    ['an identity Crypt filter', '/Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/Identity>>null]', HELLO, 'hello'],
    ['another Crypt filter', '/Filter/Crypt/DecodeParms<</Name/Mine>>', 'x', undefined],
    ['an image', '/Filter/DCTDecode', 'x', undefined],
    ['a packed image', '/Filter[/FlateDecode/DCTDecode]', HELLO, undefined],
  ])('decode %s', (_, entries, data, expected) => {
    expect(text(entries, data)).toBe(expected)
  })

  test.each<[string, string, Buffer | string, string]>([
    ['unknown filters', '/Filter/NoSuchDecode', 'x', 'a stream in it uses an unknown filter'],
    ['filters named like an inherited object property', '/Filter/constructor', 'x', 'a stream in it uses an unknown filter'],
    ['filters that are not names', '/Filter[1]', 'x', 'a stream in it names no filter'],
    ['damaged Flate data', '/Filter/FlateDecode', 'not deflated', 'its compressed data is damaged'],
    ['damaged hexadecimal data', '/Filter/AHx', '4x>', 'its hexadecimal data is damaged'],
    ['damaged base-85 data', '/Filter/A85', 'BO\x7f~>', 'its base-85 data is damaged'],
    ['base-85 groups that are too large', '/Filter/A85', 'uuuuu~>', 'its base-85 data is damaged'],
    ['a lone base-85 digit', '/Filter/A85', 'BOu!rD~>', 'its base-85 data is damaged'],
    ['damaged LZW data', '/Filter/LZWDecode', Buffer.from([0x80, 0x7f, 0xff]), 'its compressed data is damaged'],
    [
      'parameters that are not counts',
      '/Filter/Fl/DecodeParms<</Predictor -1>>',
      HELLO,
      'the parameters of its compressed data are damaged',
    ],
    [
      'predictors that do not exist',
      '/Filter/Fl/DecodeParms<</Predictor 7>>',
      HELLO,
      'the parameters of its compressed data are damaged',
    ],
    [
      'rows without end',
      '/Filter/Fl/DecodeParms<</Predictor 12/Columns 99999999>>',
      HELLO,
      'the parameters of its compressed data are damaged',
    ],
    [
      'row filters that do not exist',
      '/Filter/Fl/DecodeParms<</Predictor 15/Columns 4>>',
      deflateSync('\x09abcd'),
      'its compressed data is damaged',
    ],
  ])('refuse %s', (_, entries, data, reason) => {
    expect(refusalOf(() => decode(entries, data))).toBe(`DOCUMENT_INVALID: ${reason}`)
  })
})

describe('the budget', () => {
  const bomb = deflateSync(Buffer.alloc(100_000))
  const tooMuch = 'DOCUMENT_TOO_COMPLEX: its decompressed data is too large'

  test.each<[string, string, Buffer | string]>([
    ['Flate', '/Filter/FlateDecode', bomb],
    ['Flate with a wrong checksum', '/Filter/FlateDecode', Buffer.concat([bomb.subarray(0, -1), Buffer.from('!')])],
    ['base 85', '/Filter/A85', 'z'.repeat(25_000)],
    ['run length', '/Filter/RL', '\x81x'.repeat(800)],
    ['LZW', '/Filter/LZW', lzw(Buffer.alloc(100_000))],
    ['hexadecimal', '/Filter/AHx', '0'.repeat(200_000)],
  ])('ends a bomb in %s', (_, entries, data) => {
    expect(refusalOf(() => decode(entries, data, { streamBytes: 99_999, decodedBytes: 99_999 }))).toBe(tooMuch)
    expect(decode(entries, data, { streamBytes: 110_000, decodedBytes: 110_000 })?.length).toBeGreaterThanOrEqual(100_000)
  })

  test('is shared by all streams and all stages of a chain', () => {
    const budget = newBudget({ ...PDF_LIMITS, decodedBytes: 250_000 })
    const dict = dictOf('/Filter/FlateDecode')
    const once = (): unknown => decodeStream(dict, bomb, budget, (value) => value ?? NULL)
    once()
    once()
    expect(refusalOf(once)).toBe(tooMuch)
    const twice = deflateSync(bomb)
    expect(refusalOf(() => decode('/Filter[/Fl/Fl]', twice, { decodedBytes: 100_000 }))).toBe(tooMuch)
  })

  test('refuses chains of more than four filters', () => {
    expect(refusalOf(() => decode('/Filter[/AHx/AHx/AHx/AHx/AHx]', ''))).toBe(
      'DOCUMENT_TOO_COMPLEX: one of its streams has too many filters',
    )
    expect(decode('/Filter[/AHx/AHx/AHx/AHx]', '')).toHaveLength(0)
  })
})

describe('predictors', () => {
  const rows = Buffer.from([10, 20, 30, 40, 50, 60, 11, 19, 33, 44, 55, 66, 200, 100, 0, 255, 128, 64])
  const parameters = (predictor: number): string => `/Filter/Fl/DecodeParms<</Predictor ${predictor}/Columns 2/Colors 3>>`

  test.each([0, 1, 2, 3, 4])('PNG filter %d is undone', (filter) => {
    expect(decode(parameters(15), deflateSync(pngRows(rows, 6, 3, filter)))).toEqual(rows)
  })

  test('TIFF differences are undone', () => {
    const differences = rows.map((byte, at) => (at % 6 < 3 ? byte : byte - (rows[at - 3] ?? 0)))
    expect(decode(parameters(2), deflateSync(differences))).toEqual(rows)
  })

  test('a truncated last row is decoded as far as it goes', () => {
    expect(decode(parameters(12), deflateSync(pngRows(rows, 6, 3, 2).subarray(0, -2)))).toEqual(rows.subarray(0, -2))
  })
})

describe('LZW', () => {
  test('the example of the standard is decoded', () => {
    const data = Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01])
    expect(decode('/Filter/LZWDecode', data)).toEqual(Buffer.from([45, 45, 45, 45, 45, 65, 45, 45, 45, 66]))
  })

  test('any bytes are decoded as they were encoded, with and without early change', () => {
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ minLength: 9000, maxLength: 9000 }))
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 1), (input, earlyChange) => {
        const data = lzw(Buffer.from(input), earlyChange)
        const decoded = decode(`/Filter/LZWDecode/DecodeParms<</EarlyChange ${earlyChange}>>`, data)
        expect(decoded?.equals(input)).toBe(true)
      }),
      { numRuns: runs(30) },
    )
  })
})

/** A textbook encoder: greedy, with a clear code when the table is full. */
function lzw(input: Buffer, earlyChange = 1): Buffer {
  const bits: number[] = []
  let table = new Map<string, number>()
  let next = 258
  const put = (code: number): void => {
    const width = Math.max(9, 32 - Math.clz32(next - 1 + earlyChange))
    for (let bit = Math.min(12, width) - 1; bit >= 0; bit--) bits.push((code >> bit) & 1)
  }
  put(256)
  let known = ''
  for (const byte of input) {
    const longer = known + String.fromCharCode(byte)
    if (longer.length === 1 || table.has(longer)) {
      known = longer
      continue
    }
    put(codeOf(known))
    table.set(longer, next++)
    known = longer.slice(-1)
    if (next < 4095) continue
    put(codeOf(known))
    put(256)
    table = new Map()
    next = 258
    known = ''
  }
  if (known !== '') put(codeOf(known))
  next++
  put(257)
  function codeOf(sequence: string): number {
    return sequence.length === 1 ? sequence.charCodeAt(0) : (table.get(sequence) ?? -1)
  }
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries()) bytes[index >> 3]! |= bit << (7 - (index & 7))
  return bytes
}

function pngRows(rows: Buffer, rowBytes: number, pixelBytes: number, filter: number): Buffer {
  const parts: Buffer[] = []
  for (let start = 0; start < rows.length; start += rowBytes) {
    const line = Buffer.alloc(rowBytes)
    for (let column = 0; column < rowBytes; column++) {
      const left = column < pixelBytes ? 0 : rows[start + column - pixelBytes]!
      const up = rows[start + column - rowBytes] ?? 0
      const upLeft = column < pixelBytes ? 0 : (rows[start + column - rowBytes - pixelBytes] ?? 0)
      line[column] = rows[start + column]! - [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter]!
    }
    parts.push(Buffer.from([filter]), line)
  }
  return Buffer.concat(parts)
}

function paeth(left: number, up: number, upLeft: number): number {
  const distances = [left, up, upLeft].map((value) => Math.abs(left + up - upLeft - value))
  return [left, up, upLeft][distances.indexOf(Math.min(...distances))]!
}
