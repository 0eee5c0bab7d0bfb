// Tokens of content streams, including malformed ones: the reader is as lenient as viewers.
import { newContentReader, nextOperator, readContent } from '#core/pdf/inspect/content-reader.ts'
import { isString, numberAt, OPERAND, stringAt } from '#core/pdf/inspect/operands.ts'
import { nameText } from '#core/pdf/inspect/token-value.ts'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

/** Each operator with its operands: numbers as numbers, names with a slash, strings in quotes, brackets unchanged. */
function read(content: string | Buffer): string[] {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1')
  const reader = newContentReader()
  readContent(reader, bytes, 0)
  const lines: string[] = []
  while (nextOperator(reader) !== 0) {
    const { operands } = reader
    const shown = Array.from({ length: operands.count }, (_, index) => {
      const start = operands.starts[index] ?? 0
      const end = operands.ends[index] ?? 0
      if (isString(operands, index)) return JSON.stringify(stringAt(operands, index).toString('latin1'))
      if (operands.kinds[index] === OPERAND.NUMBER) return String(numberAt(operands, index))
      return operands.kinds[index] === OPERAND.NAME ? `/${nameText(bytes, start, end)}` : bytes.toString('latin1', start, end)
    })
    lines.push([...shown, bytes.toString('latin1', reader.operatorStart, reader.position)].join(' '))
  }
  return lines
}

const CASES: [string, string, string[]][] = [
  ['operators and their operands', 'q 1 0 0 1 5 6 cm\n/F1 9 Tf', ['q', '1 0 0 1 5 6 cm', '/F1 9 Tf']],
  ['numbers of every form', '+1 -2 3. .5 -.25 007 n', ['1 -2 3 0.5 -0.25 7 n']],
  ['numbers that break the grammar', '--5 1.2.3 6-7 . - n', ['-5 1.23 67 0 0 n']],
  ['names with escapes', '/A#42C /#zz / n', ['/ABC /#zz / n']],
  ['strings with balanced brackets', '(a(b)c) Tj', ['"a(b)c" Tj']],
  ['strings with escapes', String.raw`(\(\)\\\n\r\t\b\f\x\101\1012\7) Tj`, [String.raw`"()\\\n\r\t\b\fxAA2\u0007" Tj`]],
  ['strings with a single bracket', String.raw`(a\)b) (c\(d) Tj`, ['"a)b" "c(d" Tj']],
  ['strings over several lines', '(a\\\nb\\\r\nc\rd\r\ne) Tj', [String.raw`"abc\nd\ne" Tj`]],
  ['hexadecimal strings', '<41 4\n2 4> Tj', ['"AB@" Tj']],
  ['arrays', '[(a)-20<62>]TJ', ['[ "a" -20 "b" ] TJ']],
  ['dictionaries as their items', '/P<</MCID 0/L[(x)]>>BDC', ['/P /MCID 0 /L [ "x" ] BDC']],
  ['comments', '1 % 2 (\n3 n', ['1 3 n']],
  ['a string without an end', 'n (abc', ['n']],
  ['an escape at the end', 'n (abc\\', ['n']],
  ['a hexadecimal string without an end', 'n <41', ['n']],
  ['stray brackets', ') > ] } n', ['] n']],
  [
    'operators of one to three letters and longer',
    '\' " T* b* d0 SCN begincmap',
    ["'", '"', 'T*', 'b*', 'd0', 'SCN', 'begincmap'],
  ],
]

describe('the reader splits', () => {
  test.each(CASES)('%s', (_, content, lines) => {
    expect(read(content)).toEqual(lines)
  })
})

test('strings of any bytes are decoded in every notation', () => {
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`
  const hexadecimal = (byte: number): string => byte.toString(16).padStart(2, '0')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = JSON.stringify(Buffer.from(bytes).toString('latin1'))
      const list = Array.from(bytes)
      expect(read(`(${list.map(octal).join('')}) Tj <${list.map(hexadecimal).join(' ')}> Tj`)).toEqual([
        `${text} Tj`,
        `${text} Tj`,
      ])
    }),
  )
})

test('reading always reaches the end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const reader = newContentReader()
      readContent(reader, Buffer.from(bytes), 0)
      for (let before = -1; nextOperator(reader) !== 0; before = reader.position) expect(reader.position).toBeGreaterThan(before)
      expect(reader.position).toBe(bytes.length)
    }),
    { numRuns: runs(400) },
  )
})
