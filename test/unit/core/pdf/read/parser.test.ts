import { describe, expect, test } from 'vitest'
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { cursorOver } from '#core/pdf/read/indirect-object.ts'
import { type Cursor, WINDOW_END } from '#core/pdf/read/lexer.ts'
import { readToken, readValue } from '#core/pdf/read/parser.ts'
import { type PdfValue, rawOf } from '#core/pdf/read/value.ts'
import { refusalOf } from '../../../../support/judges/open-pdf.ts'

function parse(text: string): PdfValue {
  return readValue(cursorOver(Buffer.from(text, 'latin1'), 0, newBudget(PDF_LIMITS)))
}

/** The value without its position. */
function plain(value: PdfValue): unknown {
  switch (value.kind) {
    case 'dict':
      return Object.fromEntries([...value.entries].map(([key, entry]) => [key, plain(entry)]))
    case 'array':
      return value.items.map(plain)
    case 'name':
      return `/${value.name}`
    case 'number':
      return value.value
    case 'ref':
      return `${value.num} ${value.gen} R`
    case 'keyword':
      return value.word
    case 'string':
      return rawOf(value).toString('latin1')
    case 'stream':
    default:
      return 'stream'
  }
}

describe('values', () => {
  test.each<[string, unknown]>([
    ['12', 12],
    ['+17', 17],
    ['-.5', -0.5],
    ['4.', 4],
    ['0099', 99],
    ['--5', '--5'],
    ['1e3', '1e3'],
    ['true', 'true'],
    ['null', 'null'],
    ['/Name', '/Name'],
    ['/A#20B#2f', '/A B/'],
    ['/', '/'],
    ['/A#2', '/A#2'],
    ['(a (nested) one)', '(a (nested) one)'],
    [String.raw`(escaped \) \( \\)`, String.raw`(escaped \) \( \\)`],
    ['<48 65>', '<48 65>'],
    ['7 0 R', '7 0 R'],
    ['7 %c\n 1\r\nR', '7 1 R'],
    ['7 0 RG', 7],
    ['7.0 0 R', 7],
    ['7 -1 R', 7],
    ['[1 2 3 0 R/A(b)<63>[]]', [1, 2, '3 0 R', '/A', '(b)', '<63>', []]],
    ['<</A 1/B[2 0 R]/C<</D null>>>>', { A: 1, B: ['2 0 R'], C: { D: 'null' } }],
    [' % a comment >> \r<<% here\n/A%\n1>>', { A: 1 }],
  ])('%j reads as %j', (text, expected) => {
    expect(plain(parse(text))).toEqual(expected)
  })

  test('keeps the exact bytes it was written as', () => {
    const dict = parse(' <</Key  [ 1  0   R ]/S(\xe4\\)) >> tail')
    if (dict.kind !== 'dict') throw new Error('not a dictionary')
    expect(rawOf(dict).toString('latin1')).toBe('<</Key  [ 1  0   R ]/S(\xe4\\)) >>')
    expect([...dict.entries.values()].map((value) => rawOf(value).toString('latin1'))).toEqual(['[ 1  0   R ]', '(\xe4\\))'])
  })

  test('a duplicate key has its last value, and is ambiguous when the values differ', () => {
    expect(parse('<</A 1/A 2>>')).toMatchObject({ ambiguous: true })
    expect(plain(parse('<</A 1/A 2>>'))).toEqual({ A: 2 })
    expect(parse('<</A 1/B 3/A 1>>')).toMatchObject({ ambiguous: false })
    expect(parse('<</A 1/#41 2>>')).toMatchObject({ ambiguous: true })
  })

  test('a token is a single number, even before R', () => {
    expect(plain(readToken(cursorOver(Buffer.from('7 0 R'), 0, newBudget(PDF_LIMITS))))).toBe(7)
  })
})

describe('a syntax error', () => {
  test.each([
    ['(never closed', 'DOCUMENT_INVALID: a text string in it has no end'],
    ['(open \\', 'DOCUMENT_INVALID: a text string in it has no end'],
    ['<4865', 'DOCUMENT_INVALID: a hexadecimal string in it has no end'],
    ['<</A 1', 'DOCUMENT_INVALID: a dictionary in it is damaged'],
    ['<</A 1 2>>', 'DOCUMENT_INVALID: a dictionary in it is damaged'],
    ['<</A>>', 'DOCUMENT_INVALID: there is a stray bracket in it'],
    ['<</A 1 endobj', 'DOCUMENT_INVALID: a dictionary in it is damaged'],
    ['[1 2', 'DOCUMENT_INVALID: it ends in the middle of an object'],
    ['[1 2 endobj 3 0 obj [] ]', 'DOCUMENT_INVALID: an object in it is not closed'],
    ['', 'DOCUMENT_INVALID: it ends in the middle of an object'],
    ['}', 'DOCUMENT_INVALID: there is a stray bracket in it'],
    [')', 'DOCUMENT_INVALID: there is a stray bracket in it'],
    ['['.repeat(101), 'DOCUMENT_TOO_COMPLEX: one of its objects is nested too deeply'],
    ['<</A'.repeat(101), 'DOCUMENT_TOO_COMPLEX: one of its objects is nested too deeply'],
  ])('%j is refused', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal)
  })

  test('an array beyond the limit of values is refused', () => {
    const text = `[${'0 '.repeat(PDF_LIMITS.objectValues)}]`
    expect(refusalOf(() => parse(text))).toBe('DOCUMENT_TOO_COMPLEX: one of its objects is too large')
  })

  test('a hundred levels of nesting are read', () => {
    expect(refusalOf(() => parse('['.repeat(100) + ']'.repeat(100)))).toBe('accepted')
  })
})

describe('a window of a longer object', () => {
  const whole = '<</Name/Value/Text(a \\) b)/Hex<00ff>/Ref 12 0 R/List[1 2.5 true]>> endobj'

  test('requires a larger window at every cut, and never reads a partial token', () => {
    for (let length = 0; length < whole.indexOf(' endobj'); length++) {
      const bytes = Buffer.from(whole.slice(0, length))
      const cursor: Cursor = { bytes, whole: false, at: 0, valuesLeft: 100, nesting: 10 }
      expect(() => readValue(cursor)).toThrow(WINDOW_END)
    }
  })
})
