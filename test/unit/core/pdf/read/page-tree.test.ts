import { describe, expect, test } from 'vitest'
import type { PdfLimits } from '#core/pdf/budget.ts'
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import { rawOf } from '#core/pdf/read/value.ts'
import { openBytes, refusalOf } from '../../../../support/judges/open-pdf.ts'
import { PdfBuilder } from '../../../../support/builders/pdf-builder.ts'

/** A document with the catalog as object 1 and these page tree nodes from number 2 on. */
function treeOf(nodes: readonly string[], limits: Partial<PdfLimits> = {}): PdfFile {
  const builder = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R>>')
  for (const [index, node] of nodes.entries()) builder.object(2 + index, `<<${node}>>`)
  return openBytes(builder.table('/Root 1 0 R').bytes(), limits)
}

function walk(nodes: readonly string[], limits: Partial<PdfLimits> = {}): number[] {
  return [...treeOf(nodes, limits).pages()].map((page) => page.num)
}

const PAGE_OF_ROOT = '/Type/Page/Parent 2 0 R'

/** Two branches and a page between them: pages 5, 6, then 4, then 7. */
const NESTED = [
  '/Type/Pages/Kids[3 0 R 4 0 R 8 0 R]/Count 4',
  '/Type/Pages/Parent 2 0 R/Kids[5 0 R 6 0 R]/Count 2',
  PAGE_OF_ROOT,
  '/Type/Page/Parent 3 0 R',
  '/Type/Page/Parent 3 0 R',
  '/Type/Page/Parent 8 0 R',
  '/Type/Pages/Parent 2 0 R/Kids[7 0 R]/Count 1',
]

describe('pages', () => {
  test('are listed in tree order, each with its index', () => {
    const file = treeOf(NESTED)
    expect([...file.pages()].map(({ index, num }) => [index, num])).toEqual([
      [0, 5],
      [1, 6],
      [2, 4],
      [3, 7],
    ])
  })

  test('can be found individually, from either end', () => {
    const file = treeOf(NESTED)
    expect([0, 1, 2, 3].map((index) => file.page(index).num)).toEqual([5, 6, 4, 7])
    for (const index of [-1, 4, 0.5, Number.NaN]) expect(() => file.page(index)).toThrow(RangeError)
  })

  test('are found without reading the nodes at the other end', () => {
    // The last kid is a number, so reading it fails.
    const file = treeOf(['/Type/Pages/Kids[3 0 R 4 0 R 5 0 R 9]/Count 4', PAGE_OF_ROOT, PAGE_OF_ROOT, PAGE_OF_ROOT])
    expect(file.page(0).num).toBe(3)
    expect(refusalOf(() => file.page(3))).toBe('DOCUMENT_INVALID: its page tree is damaged')
    const other = treeOf(['/Type/Pages/Kids[9 3 0 R 4 0 R 5 0 R]/Count 4', PAGE_OF_ROOT, PAGE_OF_ROOT, PAGE_OF_ROOT])
    expect(other.page(3).num).toBe(5)
    expect(refusalOf(() => other.page(0))).toBe('DOCUMENT_INVALID: its page tree is damaged')
  })

  test('inherit missing attributes from the nearest branch that has them', () => {
    const file = treeOf([
      '/Type/Pages/Kids[3 0 R]/Count 2/MediaBox[0 0 1 1]/Rotate 90/Resources<</A 1>>',
      '/Type/Pages/Parent 2 0 R/Kids[4 0 R 5 0 R]/Count 2/MediaBox[0 0 2 2]',
      '/Type/Page/Parent 3 0 R/Rotate 0/Resources null',
      '/Type/Page/Parent 3 0 R/MediaBox[0 0 3 3]/CropBox[0 0 4 4]',
    ])
    const attributes = [...file.pages()].map((page) =>
      Object.fromEntries([...page.attributes].map(([key, value]) => [key, rawOf(value).toString()])),
    )
    expect(attributes).toEqual([
      { MediaBox: '[0 0 2 2]', Rotate: '0', Resources: '<</A 1>>' },
      { MediaBox: '[0 0 3 3]', CropBox: '[0 0 4 4]', Rotate: '90', Resources: '<</A 1>>' },
    ])
    expect(rawOf(file.page(1).attributes.get('MediaBox')!).toString()).toBe('[0 0 3 3]')
  })
})

describe('a page tree is refused', () => {
  const damaged = 'DOCUMENT_INVALID: its page tree is damaged'
  const contradicts = 'DOCUMENT_INVALID: its page tree contradicts itself'
  const counts = 'DOCUMENT_INVALID: its page tree counts its pages wrongly'
  const twice = 'DOCUMENT_INVALID: its page tree uses a page or a branch twice'

  test.each<[string, string[], string]>([
    ['without pages', ['/Type/Pages/Kids[]/Count 0'], 'DOCUMENT_INVALID: it has no pages'],
    ['that is a page', ['/Type/Page'], 'DOCUMENT_INVALID: it has no page tree'],
    ['that is missing', [], damaged],
    ['without count', ['/Type/Pages/Kids[3 0 R]', PAGE_OF_ROOT], 'DOCUMENT_INVALID: its page tree does not count its pages'],
    [
      'with a negative count',
      ['/Type/Pages/Kids[3 0 R]/Count -1', PAGE_OF_ROOT],
      'DOCUMENT_INVALID: its page tree does not count its pages',
    ],
    ['that counts too many pages', ['/Type/Pages/Kids[3 0 R]/Count 2', PAGE_OF_ROOT], counts],
    ['that counts too few pages', ['/Type/Pages/Kids[3 0 R 4 0 R]/Count 1', PAGE_OF_ROOT, PAGE_OF_ROOT], counts],
    [
      'with a branch that counts wrongly',
      NESTED.with(1, '/Type/Pages/Parent 2 0 R/Kids[5 0 R 6 0 R]/Count 1').with(0, '/Type/Pages/Kids[3 0 R 4 0 R 8 0 R]/Count 3'),
      counts,
    ],
    ['with a missing kid', ['/Type/Pages/Kids[9 0 R]/Count 1'], damaged],
    ['with a kid that is not a reference', ['/Type/Pages/Kids[<</Type/Page>>]/Count 1'], damaged],
    ['with kids that are not an array', ['/Type/Pages/Kids 3 0 R/Count 1', PAGE_OF_ROOT], damaged],
    ['with a branch without kids', ['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Pages/Parent 2 0 R/Count 1'], damaged],
    ['with a page that has kids', ['/Type/Pages/Kids[3 0 R]/Count 1', `${PAGE_OF_ROOT}/Kids[]/Count 1`], damaged],
    [
      'with a page that says something twice',
      ['/Type/Pages/Kids[3 0 R]/Count 1', `${PAGE_OF_ROOT}/Contents 4 0 R/Contents 5 0 R`],
      'DOCUMENT_INVALID: a page has the same key twice',
    ],
    ['with a page twice', ['/Type/Pages/Kids[3 0 R 3 0 R]/Count 2', PAGE_OF_ROOT], twice],
    [
      'with an empty branch twice',
      ['/Type/Pages/Kids[3 0 R 3 0 R 4 0 R]/Count 1', '/Type/Pages/Parent 2 0 R/Kids[]/Count 0', PAGE_OF_ROOT],
      twice,
    ],
    ['with a loop', ['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1'], twice],
    [
      'with a branch that is a kid of its own',
      ['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Pages/Parent 2 0 R/Kids[3 0 R]/Count 1'],
      contradicts,
    ],
    [
      'with a page of another parent',
      ['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Page/Parent 4 0 R', '/Type/Pages/Resources<<>>'],
      contradicts,
    ],
    ['with a page that inherits and has no parent', ['/Type/Pages/Kids[3 0 R]/Count 1/Rotate 90', '/Type/Page'], contradicts],
  ])('%s', (_, nodes, refusal) => {
    expect(refusalOf(() => walk(nodes))).toBe(refusal)
  })

  test('with a loop, also on the way to one page', () => {
    const file = treeOf(['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Pages/Kids[2 0 R]/Count 1'])
    expect(refusalOf(() => file.page(0))).toBe('DOCUMENT_TOO_COMPLEX: its page tree is too deep')
  })

  test('deeper than 64 levels', () => {
    const chain = (levels: number): string[] => [
      '/Type/Pages/Kids[3 0 R]/Count 1',
      ...Array.from({ length: levels - 2 }, (_, level) => `/Type/Pages/Parent ${level + 2} 0 R/Kids[${level + 4} 0 R]/Count 1`),
      `/Type/Page/Parent ${levels} 0 R`,
    ]
    expect(walk(chain(64))).toHaveLength(1)
    expect(refusalOf(() => walk(chain(65)))).toBe('DOCUMENT_TOO_COMPLEX: its page tree is too deep')
    expect(refusalOf(() => walk(chain(5000)))).toBe('DOCUMENT_TOO_COMPLEX: its page tree is too deep')
  })

  test('with more pages than the limit, counted or declared', () => {
    const three = ['/Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3', PAGE_OF_ROOT, PAGE_OF_ROOT, PAGE_OF_ROOT]
    expect(walk(three, { pages: 3 })).toHaveLength(3)
    const refusal = 'DOCUMENT_TOO_COMPLEX: it has more than 2 pages'
    expect(refusalOf(() => walk(three, { pages: 2 }))).toBe(refusal)
    expect(refusalOf(() => walk(three.with(0, three[0]!.replace('Count 3', 'Count 1')), { pages: 2 }))).toBe(refusal)
  })
})

test('a page without parent is accepted when it inherits nothing', () => {
  expect(walk(['/Type/Pages/Kids[3 0 R]/Count 1', '/Type/Page/MediaBox[0 0 9 9]'])).toEqual([3])
})
