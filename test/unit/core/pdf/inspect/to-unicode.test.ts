// ToUnicode CMaps in the forms that writers produce.
import { newContentReader } from '#core/pdf/inspect/content-reader.ts'
import { IGNORED_UNIT, OTHER_UNIT, SEQUENCE_UNIT } from '#core/pdf/inspect/marker-units.ts'
import { readToUnicode } from '#core/pdf/inspect/to-unicode.ts'
import { expect, test } from 'vitest'

const BRACE = 0x7b

/** The entries of the CMap in a table of 256 codes, as text. */
function read(cmap: string): Record<number, string> {
  const texts = { units: new Uint16Array(256).fill(1), sequences: new Map<number, string>() }
  readToUnicode(newContentReader(), Buffer.from(cmap), texts)
  const entries = Array.from(texts.units, (unit, code): [number, string] => [code, show(unit, texts.sequences.get(code))])
  return Object.fromEntries(entries.filter(([, text]) => text !== 'untouched'))
}

function show(unit: number, sequence: string | undefined): string {
  if (unit === 1) return 'untouched'
  if (unit === IGNORED_UNIT) return 'blank'
  if (unit === OTHER_UNIT) return 'other'
  return unit === SEQUENCE_UNIT ? (sequence ?? 'missing') : String.fromCharCode(unit)
}

const CASES: [string, string, Record<number, string>][] = [
  ['single codes', '2 beginbfchar <01> <007B> <02> <0041> endbfchar', { 1: '{', 2: 'other' }],
  ['codes of two bytes', '1 beginbfchar <0003> <007D> endbfchar', { 3: '}' }],
  ['a range', '1 beginbfrange <10> <12> <0031> endbfrange', { 16: '1', 17: '2', 18: '3' }],
  ['a range with a list', '1 beginbfrange <01> <03> [<0073> <0069> <0041>] endbfrange', { 1: 's', 2: 'i', 3: 'other' }],
  ['a list and then a range', '2 beginbfrange <01> <01> [<0073>] <02> <02> <0069> endbfrange', { 1: 's', 2: 'i' }],
  ['a code of several characters', '1 beginbfchar <01> <007B007B> endbfchar', { 1: '{{' }],
  ['a range of several characters', '1 beginbfrange <01> <02> <00730031> endbfrange', { 1: 's1', 2: 's2' }],
  [
    'blanks and codes without a text',
    '3 beginbfchar <01> <0020> <02> <> <03> <200B> endbfchar',
    { 1: 'blank', 2: 'blank', 3: 'blank' },
  ],
  ['a character outside of the basic plane', '1 beginbfchar <01> <D83DDE00> endbfchar', { 1: 'other' }],
  ['a text of one byte', '1 beginbfchar <01> <7B> endbfchar', { 1: '{' }],
  ['the last entry of a code', '2 beginbfchar <01> <007B> <01> <0041> endbfchar', { 1: 'other' }],
  ['several sections', '1 beginbfchar <01> <007B> endbfchar 1 beginbfchar <02> <007D> endbfchar', { 1: '{', 2: '}' }],
  ['sections that count wrongly', '9 beginbfchar <01> <007B> endbfchar', { 1: '{' }],
  [
    'a section between other words',
    '/CIDInit /ProcSet findresource begin\n%%EOF\n1 beginbfchar\r<01>\r<007B>\rendbfchar',
    { 1: '{' },
  ],
  ['nothing from codes that are too long', '1 beginbfchar <0000000001> <007B> endbfchar', {}],
  ['nothing from codes beyond the table', '2 beginbfchar <0100> <007B> <FFFFFFFF> <007B> endbfchar', {}],
  ['nothing from a range that runs backwards', '1 beginbfrange <05> <01> <007B> endbfrange', {}],
  ['nothing from half a pair', '1 beginbfchar <01> endbfchar', {}],
]

test.each(CASES)('%s', (_, cmap, expected) => {
  expect(read(cmap)).toEqual(expected)
})

test('a range beyond the end of the table fills the table', () => {
  const entries = read('1 beginbfrange <F0> <FFFF> <007B> endbfrange')
  expect(Object.keys(entries)).toHaveLength(16)
  expect(entries[0xf0]).toBe(String.fromCharCode(BRACE))
})
