// Which pages are refused because drawing them takes a viewer too much work.
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { describe, expect, test } from 'vitest'
import { type Body, onePage, type Page, stream } from '../../../../support/hostile/hostile-pdfs.ts'

function inspect(page: Page): number {
  return inspectPdf(bufferSource(onePage(page)), { refuseActiveContent: true }).pageCount
}

const LEVELS = 13
const TEN = '0123456789'

/** Object 6 uses object 7 ten times, and so on for 13 levels; `use` and `resources` say how. */
function tenfold(entries: string, use: string, resources: (num: number) => string): Body[] {
  return Array.from({ length: LEVELS }, (_, level) =>
    level === LEVELS - 1
      ? stream(entries, '0 0 9 9 re f')
      : stream(`${entries}/Resources<<${resources(7 + level)}>>`, use.repeat(10)),
  )
}

/** Levels of Type 3 fonts: the glyph of each shows ten glyphs of the next. */
function glyphs(): Body[] {
  return Array.from({ length: LEVELS }, (_, level) => level).flatMap((level) => [
    `<</Type/Font/Subtype/Type3/CharProcs<</a ${7 + 2 * level} 0 R>>/Resources<<${level === LEVELS - 1 ? '' : `/Font<</T ${8 + 2 * level} 0 R>>`}>>>>`,
    stream('', level === LEVELS - 1 ? '0 0 9 9 re f' : `BT /T 1 Tf (${TEN}) Tj ET`),
  ])
}

const form = (data: string, entries = ''): Body => stream(`/Type/XObject/Subtype/Form${entries}`, data)
const lines = '1 1 l '

describe('a page', () => {
  const refused: [string, Page][] = [
    [
      'forms',
      {
        content: stream('', '/X Do'),
        resources: '/XObject<</X 6 0 R>>',
        objects: tenfold('/Subtype/Form', '/X Do ', (num) => `/XObject<</X ${num} 0 R>>`),
      },
    ],
    [
      'patterns',
      {
        content: stream('', '/P scn 0 0 9 9 re f'),
        resources: '/Pattern<</P 6 0 R>>',
        objects: tenfold('/PatternType 1', '/P scn 0 0 9 9 re f ', (num) => `/Pattern<</P ${num} 0 R>>`),
      },
    ],
    ['glyphs', { content: stream('', `BT /T 1 Tf (${TEN}) Tj ET`), resources: '/Font<</T 6 0 R>>', objects: glyphs() }],
    [
      'soft masks',
      {
        content: stream('', '/G gs'),
        resources: '/ExtGState<</G<</SMask<</G 6 0 R>>>>>>',
        objects: tenfold('/Subtype/Form', '/G gs ', (num) => `/ExtGState<</G<</SMask<</G ${num} 0 R>>>>>>`),
      },
    ],
    [
      'the appearance of an annotation',
      {
        page: '/Annots[<</Subtype/Stamp/F 4/Rect[0 0 9 9]/AP<</N<</On 6 0 R>>>>/AS/On>>]',
        objects: tenfold('/Subtype/Form', '/X Do ', (num) => `/XObject<</X ${num} 0 R>>`),
      },
    ],
    [
      'one large form many times',
      { content: stream('', '/X Do '.repeat(1_000)), resources: '/XObject<</X 6 0 R>>', objects: [form(lines.repeat(5_000))] },
    ],
    [
      'a pattern that every line of a form inherits',
      {
        content: stream('', '/P SCN /X Do'),
        resources: '/Pattern<</P 6 0 R>>/XObject<</X 7 0 R>>',
        objects: [stream('/PatternType 1', lines.repeat(3_000)), form('0 0 m 1 1 l S '.repeat(2_000))],
      },
    ],
    [
      'many groups',
      { content: stream('', '/X Do '.repeat(10_000)), resources: '/XObject<</X 6 0 R>>', objects: [form('n', '/Group<<>>')] },
    ],
    [
      'many gradients',
      { content: stream('', '/X Do '.repeat(40)), resources: '/XObject<</X 6 0 R>>', objects: [form('/S sh '.repeat(100))] },
    ],
    ['a form in itself', { content: stream('', '/X Do'), resources: '/XObject<</X 6 0 R>>', objects: [form('/X Do')] }],
  ]

  // requirements: decisions/documents/complexity limits
  test.each(refused)('that multiplies its work is refused: %s', (_, page) => {
    expect(() => inspect(page)).toThrow(expect.objectContaining({ code: 'DOCUMENT_TOO_COMPLEX' }))
  })

  const accepted: [string, Page][] = [
    [
      'a form of a thousand operators four hundred times',
      { content: stream('', '/X Do '.repeat(400)), resources: '/XObject<</X 6 0 R>>', objects: [form(lines.repeat(1_000))] },
    ],
    [
      'a million operators in one form',
      { content: stream('', '/X Do'), resources: '/XObject<</X 6 0 R>>', objects: [form(lines.repeat(1_000_000))] },
    ],
    [
      'ten thousand glyphs of a bitmap font',
      {
        content: stream('', `BT /T 1 Tf ${`(${TEN}) Tj `.repeat(1_000)} ET`),
        resources: '/Font<</T 6 0 R>>',
        objects: ['<</Type/Font/Subtype/Type3/CharProcs<</a 7 0 R>>>>', stream('', '0 0 9 9 0 0 d1 q BI /W 1 ID x EI Q')],
      },
    ],
    [
      'a pattern after which a colour is set',
      {
        content: stream('', `/P scn 0 0 9 9 re f 0 g ${'0 0 9 9 re f '.repeat(10_000)}`),
        resources: '/Pattern<</P 6 0 R>>',
        objects: [stream('/PatternType 1', lines.repeat(1_000))],
      },
    ],
    ['a form that names itself and does not draw itself', { resources: '/XObject<</X 6 0 R>>', objects: [form('q Q')] }],
  ]

  test.each(accepted)('is accepted with %s', (_, page) => {
    expect(inspect(page)).toBe(1)
  })
})
