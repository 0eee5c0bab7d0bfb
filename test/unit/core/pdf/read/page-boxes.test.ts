import { describe, expect, test } from 'vitest'
import { readPageBoxes } from '#core/pdf/read/page-boxes.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { PdfBuilder } from '../../../../support/builders/pdf-builder.ts'

function boxesOf(page: string): ReturnType<typeof readPageBoxes> {
  const builder = new PdfBuilder()
  builder.object(1, '<</Type/Catalog/Pages 2 0 R>>').object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')
  builder.object(3, `<</Type/Page/Parent 2 0 R${page}>>`).object(4, '300')
  const file = openBytes(builder.table('/Root 1 0 R').bytes())
  return readPageBoxes(file, file.page(0))
}

const PLAIN = { mediaBox: [0, 0, 100, 200], cropBox: [0, 0, 100, 200], rotate: 0, userUnit: 1 }

describe('the boxes of a page', () => {
  test.each<[string, string, object]>([
    ['with a media box alone', '/MediaBox[0 0 100 200]', PLAIN],
    ['with corners in another order', '/MediaBox[100 200 0 0]', PLAIN],
    ['with a number elsewhere', '/MediaBox[0 0 100 4 0 R]', { ...PLAIN, mediaBox: [0, 0, 100, 300], cropBox: [0, 0, 100, 300] }],
    ['without boxes', '', { ...PLAIN, mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792] }],
    ['with an empty box', '/MediaBox[0 0 0 200]', { ...PLAIN, mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792] }],
    ...[
      '0 0 1000 99999999',
      '0 0 .01 200',
      '20000000 0 20000100 200',
      `0 0 ${'9'.repeat(400)} 200`,
      `-${'9'.repeat(400)} 0 100 200`,
    ].map((box): [string, string, object] => [
      `with the box ${box.slice(0, 30)}, which cannot be seen`,
      `/MediaBox[${box}]`,
      { ...PLAIN, mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792] },
    ]),
    ['with an invisibly small crop box', '/MediaBox[0 0 100 200]/CropBox[0 0 .00001 200]', PLAIN],
    ...['0', '-1', '.0000001', '100000', '9'.repeat(400)].map((unit): [string, string, object] => [
      `with the unit ${unit.slice(0, 10)}`,
      `/MediaBox[0 0 100 200]/UserUnit ${unit}`,
      PLAIN,
    ]),
    ['with a box of three numbers', '/MediaBox[0 0 100]', { ...PLAIN, mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792] }],
    ['with a box of names', '/MediaBox[0 0 100/A]', { ...PLAIN, mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792] }],
    [
      'with a crop box that reaches out',
      '/MediaBox[0 0 100 200]/CropBox[-50 10 60 999]',
      { ...PLAIN, cropBox: [0, 10, 60, 200] },
    ],
    [
      'with a crop box that reaches out elsewhere',
      '/MediaBox[0 0 100 200]/CropBox[30 -9 999 50]',
      { ...PLAIN, cropBox: [30, 0, 100, 50] },
    ],
    ['with a crop box elsewhere', '/MediaBox[0 0 100 200]/CropBox[500 500 600 600]', PLAIN],
    ['turned', '/MediaBox[0 0 100 200]/Rotate 90', { ...PLAIN, rotate: 90 }],
    ['turned back', '/MediaBox[0 0 100 200]/Rotate -90', { ...PLAIN, rotate: 270 }],
    ['turned more than once', '/MediaBox[0 0 100 200]/Rotate 540', { ...PLAIN, rotate: 180 }],
    ['turned askew', '/MediaBox[0 0 100 200]/Rotate 45', PLAIN],
    ['with another unit', '/MediaBox[0 0 100 200]/UserUnit 2.5', { ...PLAIN, userUnit: 2.5 }],
    ['with a unit of nothing', '/MediaBox[0 0 100 200]/UserUnit 0', PLAIN],
  ])('%s', (_, page, expected) => {
    expect(boxesOf(page)).toEqual(expected)
  })
})
