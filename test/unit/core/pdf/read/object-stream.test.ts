import { describe, expect, test } from 'vitest'
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import { rawOf } from '#core/pdf/read/value.ts'
import { openBytes, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { type PdfBuilder, simpleBuilder } from '../../../../support/builders/pdf-builder.ts'

describe('object streams', () => {
  const members = new Map([
    [6, '<</First 1>>'],
    [7, '(second)'],
    [8, '[3 0 R]'],
  ])

  function withMembers(spoil: (builder: PdfBuilder) => void = () => undefined): PdfFile {
    const builder = simpleBuilder().objectStream(9, members)
    spoil(builder)
    return openBytes(builder.xrefStream(10, '/Root 1 0 R').bytes())
  }

  test('return their members', () => {
    const file = withMembers()
    expect([6, 7, 8].map((num) => rawOf(file.get(num)).toString())).toEqual([...members.values()])
  })

  test.each([
    ['an index of another number', { type: 'member', stream: 9, index: 1 }],
    ['an index beyond the last', { type: 'member', stream: 9, index: 3 }],
    ['a stream that is not an object stream', { type: 'member', stream: 4, index: 0 }],
    ['a stream that is a member itself', { type: 'member', stream: 7, index: 0 }],
    ['a missing stream', { type: 'member', stream: 77, index: 0 }],
  ] as const)('are refused for %s', (_, entry) => {
    const file = withMembers((builder) => builder.entries.set(6, entry))
    expect(refusalOf(() => file.get(6))).toMatch(/^DOCUMENT_INVALID: one of its object streams is (damaged|missing)$/)
  })

  test.each([
    ['index', '/N 2/First 8', '6 0 7', 'damaged'],
    ['count', '/N 1000000/First 4', '6 0 (x)', 'it has more than 200000 objects'],
    ['start', '/N 1/First 999', '6 0 (x)', 'damaged'],
    ['type', '/N 1/First 4/Type/Other', '6 0 (x)', 'damaged'],
  ])('are refused for a wrong %s', (_, entries, data, reason) => {
    const builder = simpleBuilder().stream(9, `/Type/ObjStm${entries}`, data)
    builder.entries.set(6, { type: 'member', stream: 9, index: 0 })
    const file = openBytes(builder.xrefStream(10, '/Root 1 0 R').bytes())
    expect(refusalOf(() => file.get(6))).toContain(reason)
  })

  test('must not depend on each other or themselves', () => {
    const builder = simpleBuilder()
    builder.entries.set(9, { type: 'plain', offset: builder.offset, gen: 0 })
    builder.raw('9 0 obj\n<</Type/ObjStm/N 1/First 4/Length 6 0 R>>\nstream\n6 0 7\nendstream\nendobj\n')
    builder.entries.set(6, { type: 'member', stream: 9, index: 0 })
    const file = openBytes(builder.xrefStream(10, '/Root 1 0 R').bytes())
    expect(refusalOf(() => file.get(6))).toBe('DOCUMENT_INVALID: a stream in it has no proper length')
  })
})
