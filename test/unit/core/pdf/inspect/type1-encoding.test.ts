// Encodings in the clear-text part of Type 1 font programs.
import { readType1Encoding } from '#core/pdf/inspect/type1-encoding.ts'
import { expect, test } from 'vitest'

function read(program: string): Record<string, string> | undefined {
  const names = readType1Encoding(Buffer.from(program, 'latin1'))
  return names === undefined ? undefined : Object.fromEntries(names)
}

const CASES: [string, string, Record<string, string> | undefined][] = [
  [
    'a list of codes',
    '/Encoding 256 array 0 1 255 {1 index exch /.notdef put} for\ndup 102 /braceleft put\rdup 103/braceright put',
    { 102: 'braceleft', 103: 'braceright' },
  ],
  ['the standard encoding', '/Encoding StandardEncoding def', undefined],
  ['no encoding', '/FontName /A def dup 5 /a put', undefined],
  ['nothing after the clear-text part', '/Encoding 256 array currentfile eexec dup 102 /braceleft put', undefined],
  ['nothing before the encoding', 'dup 1 /a put /Encoding 256 array dup 2 /b put', { 2: 'b' }],
]

test.each(CASES)('%s', (_, program, expected) => {
  expect(read(program)).toEqual(expected)
})
