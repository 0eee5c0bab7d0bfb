// What counts as ink on a page, checked cell by cell: text, lines, dark areas, images and fields do; paper and the marker itself do not.
import { expect, test } from 'vitest'
import { inspectPdf } from '#core/pdf/inspect/inspect-pdf.ts'
import { INK, unpackInk } from '#core/pdf/placement/ink-grid.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { buildPdf, onePageBodies, type Page, stream } from '../../../../support/hostile/hostile-pdfs.ts'

/** The usual page of these tests in letter size. */
function letterPage(page: Page): Buffer {
  return buildPdf(
    onePageBodies(page).map((body) => (typeof body === 'string' ? body.replace('[0 0 200 200]', '[0 0 612 792]') : body)),
  )
}

const drawn = (operators: string): Page => ({ content: stream('', operators) })

/** Points and the ink expected there; all pages are 612 x 792. */
const CASES: [string, Page, [number, number, number][]][] = [
  [
    'text',
    drawn('BT /F1 20 Tf 100 500 Td (Hello) Tj ET'),
    [
      [105, 505, INK.TEXT],
      [105, 540, 0],
      [300, 505, 0],
    ],
  ],
  [
    'text in a form',
    drawn('q 1 0 0 1 50 50 cm BT /F1 20 Tf 100 500 Td (Hello) Tj ET Q'),
    [
      [155, 555, INK.TEXT],
      [105, 505, 0],
    ],
  ],
  [
    'a frame: its lines only',
    drawn('100 500 200 100 re S'),
    [
      [100, 550, INK.DRAWING],
      [200, 550, 0],
      [200, 600, INK.DRAWING],
    ],
  ],
  [
    'a diagonal: not its box',
    drawn('100 100 m 300 300 l S'),
    [
      [200, 200, INK.DRAWING],
      [120, 280, 0],
    ],
  ],
  ['a dark area', drawn('0.2 g 100 500 200 100 re f'), [[200, 550, INK.DRAWING]]],
  ['a pale area', drawn('0.95 g 100 500 200 100 re f'), [[200, 550, 0]]],
  ['a page-wide background', drawn('0.2 g 0 0 612 792 re f'), [[200, 550, 0]]],
  [
    'an area that is clipped',
    drawn('100 500 50 50 re W n 0 g 100 500 200 100 re f'),
    [
      [120, 520, INK.DRAWING],
      [220, 520, 0],
    ],
  ],
  [
    'an inline image',
    drawn('q 80 0 0 40 100 500 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x01 EI Q'),
    [
      [140, 520, INK.IMAGE],
      [200, 520, 0],
    ],
  ],
  [
    'the marker itself',
    drawn('BT /F1 20 Tf 100 500 Td (A {{signer1}} B) Tj ET'),
    [
      [103, 505, INK.TEXT],
      [150, 505, 0],
    ],
  ],
  ['what only begins like a marker', drawn('BT /F1 20 Tf 100 500 Td ({{signature}}) Tj ET'), [[150, 505, INK.TEXT]]],
  ['invisible text of a scan', drawn('BT /F1 20 Tf 3 Tr 100 500 Td (Hello) Tj ET'), [[105, 505, INK.TEXT]]],
  ['a field', { page: '/Annots[<</Subtype/Widget/Rect[100 500 200 520]>>]' }, [[150, 510, INK.TEXT]]],
  ['a link', { page: '/Annots[<</Subtype/Link/Rect[100 500 200 520]>>]' }, [[150, 510, 0]]],
]

test.each(CASES)('%s', (_name, page, points) => {
  const [ink] = inspectPdf(bufferSource(letterPage(page)), { refuseActiveContent: true }).ink
  const { cells, columns, cell, left, bottom } = unpackInk(ink!)
  const at = points.map(([x, y]) => cells[Math.floor((y - bottom) / cell) * columns + Math.floor((x - left) / cell)])
  expect(at).toEqual(points.map(([, , kind]) => kind))
})

test('a page that is too costly to read counts as full', () => {
  const page = drawn('0 0 m 612 792 l S '.repeat(40_000))
  const [ink] = inspectPdf(bufferSource(letterPage(page)), { refuseActiveContent: true }).ink
  expect(unpackInk(ink!).cells.every((cell) => cell !== 0)).toBe(true)
})
