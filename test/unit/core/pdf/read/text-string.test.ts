import { describe, expect, test } from 'vitest'
import { stringBytes, textOf } from '#core/pdf/read/text-string.ts'
import type { PdfString } from '#core/pdf/read/value.ts'

function written(raw: string): PdfString {
  const bytes = Buffer.from(raw, 'latin1')
  return { kind: 'string', bytes, start: 0, end: bytes.length }
}

describe('the bytes of a string', () => {
  test.each([
    ['(plain)', 'plain'],
    [String.raw`(\n\r\t\b\f\(\)\\)`, '\n\r\t\b\f()\\'],
    [String.raw`(\101\7x\0053\400)`, 'A\x07x\x053\x00'],
    ['(a\\\r\nb)', 'ab'],
    ['(a\\\rb\\\nc)', 'abc'],
    ['(a\r\nb\rc\nd)', 'a\nb\nc\nd'],
    [String.raw`(\\\\n)`, String.raw`\\n`],
    ['(\\\\\r\n)', '\\\n'],
    [String.raw`(\q)`, 'q'],
    ['()', ''],
    ['<48 65 6C\n6c6F>', 'Hello'],
    ['<417>', 'Ap'],
    ['<>', ''],
  ])('%j means %j', (raw, expected) => {
    expect(stringBytes(written(raw)).toString('latin1')).toBe(expected)
  })
})

describe('the text of a text string', () => {
  test.each([
    ['(Name)', 'Name'],
    ['<FEFF0141014D>', 'Łō'],
    ['<FFFE41014D01>', 'Łō'],
    ['<EFBBBFC581>', 'Ł'],
    ['<FEFF01>', ''],
    ['(\xe9)', 'é'],
  ])('%j says %j', (raw, expected) => {
    expect(textOf(written(raw))).toBe(expected)
  })
})
