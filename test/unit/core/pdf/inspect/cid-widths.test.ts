// /W arrays (ISO 32000-2, 9.7.4.3) within a document, because widths may be indirect objects.
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { cidWidths } from '#core/pdf/inspect/cid-widths.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'
import { expect, test } from 'vitest'
import { FIRST_FREE, onePage } from '../../../../support/hostile/hostile-pdfs.ts'

function widthsOf(font: string, ...objects: string[]): (cid: number) => number {
  const file = openPdf(bufferSource(onePage({ objects: [`<<${font}>>`, ...objects] })), newBudget(PDF_LIMITS))
  const dict = file.get(FIRST_FREE)
  if (dict.kind !== 'dict') throw new Error('the font is not a dictionary')
  return cidWidths(file, dict)
}

const CASES: [string, string, [cid: number, width: number][]][] = [
  ['none: 1000', '', [[7, 1000]]],
  ['none but a default', '/DW 600', [[7, 600]]],
  [
    'a list',
    '/W[5[10 20 30]]',
    [
      [4, 1000],
      [5, 10],
      [6, 20],
      [7, 30],
      [8, 1000],
    ],
  ],
  [
    'a list of one',
    '/W[5[10]]',
    [
      [5, 10],
      [6, 1000],
    ],
  ],
  [
    'a range',
    '/W[5 9 250]',
    [
      [4, 1000],
      [5, 250],
      [9, 250],
      [10, 1000],
    ],
  ],
  [
    'lists and ranges out of order',
    '/DW 1/W[20 29 7 5[10 20] 100[3]]',
    [
      [5, 10],
      [6, 20],
      [25, 7],
      [100, 3],
      [30, 1],
    ],
  ],
  ['objects of their own', '/W 7 0 R', [[5, 250]]],
  [
    'nonsense',
    '/DW 1/W[(a) 5 [1] 9 2 3 null 7[(b)]]',
    [
      [5, 1],
      [7, 1],
    ],
  ],
]

test.each(CASES)('%s', (_, font, expected) => {
  const width = widthsOf(font, '[5 6 8 0 R]', '250')
  expect(expected.map(([cid]) => [cid, width(cid)])).toEqual(expected)
})
