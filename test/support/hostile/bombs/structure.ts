// Trees, objects and references without an end.
import { buildCompressedPdf, buildPdf, onePage, onePageBodies, stream } from '../hostile-pdfs.ts'
import { type Bomb, pages } from './bomb.ts'

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'

function nested(depth: number, open: string, close: string): string {
  return `${open.repeat(depth)}${close.repeat(depth)}`
}

export const STRUCTURE: readonly Bomb[] = [
  {
    name: 'a page tree that contains itself',
    build: () => buildPdf([CATALOG, '<</Type/Pages/Count 1/Kids[2 0 R]>>']),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a page tree in a circle',
    build: () => buildPdf([CATALOG, '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Pages/Parent 2 0 R/Count 1/Kids[2 0 R]>>']),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a page that is used half a million times',
    build: () =>
      buildPdf([CATALOG, `<</Type/Pages/Count 400000/Kids[${'3 0 R '.repeat(400_000)}]>>`, '<</Type/Page/Parent 2 0 R>>']),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  { name: 'a page tree of 65 levels', build: () => deepTree(65), code: 'DOCUMENT_TOO_COMPLEX' },
  { name: 'a page tree of ten thousand levels', build: () => deepTree(10_000), code: 'DOCUMENT_TOO_COMPLEX' },
  {
    name: 'a huge /Count',
    build: () => buildPdf([CATALOG, '<</Type/Pages/Count 99999999999999/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R>>']),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a negative /Count',
    build: () => buildPdf([CATALOG, '<</Type/Pages/Count -1/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R>>']),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: '5,001 pages',
    build: () =>
      pages(
        Array.from({ length: 5_001 }, () => 4),
        ['null'],
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: '200,001 objects',
    build: () => onePage({ objects: Array.from({ length: 200_000 }, () => 'null') }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  { name: 'arrays in arrays', build: () => onePage({ objects: [nested(200_000, '[', ']')] }), code: 'DOCUMENT_TOO_COMPLEX' },
  {
    name: 'dictionaries in dictionaries',
    build: () => onePage({ objects: [nested(200_000, '<</A ', '>>')] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'arrays in arrays in an object stream',
    build: () => buildCompressedPdf(onePageBodies({ objects: [nested(200_000, '[', ']')] })),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'an object of a million numbers',
    build: () => onePage({ objects: [`[${'1 '.repeat(1_000_000)}]`] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'an object of forty million bytes',
    build: () => onePage({ objects: [`(${'a'.repeat(40_000_000)})`] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a content that refers to itself',
    build: () =>
      buildPdf([CATALOG, '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>', '5 0 R', '4 0 R']),
    code: 'DOCUMENT_INVALID',
  },
  { name: 'a length that refers to its own stream', build: () => selfLength(), code: 'DOCUMENT_INVALID' },
  {
    name: 'a form field that is its own kid',
    build: () => onePage({ catalog: '/AcroForm<</Fields[6 0 R]>>', objects: ['<</T(a)/Kids[6 0 R 6 0 R]/Parent 6 0 R>>'] }),
  },
  { name: 'names of a million escapes', build: () => onePage({ objects: [`<</${'#41'.repeat(1_000_000)} 1>>`] }) },
  { name: 'one key a hundred thousand times', build: () => onePage({ objects: [`<<${'/S/A/S/B'.repeat(100_000)}>>`] }) },
  {
    name: 'a long array on a page, and elsewhere a reference that leads nowhere',
    build: () => onePage({ page: `/Group[${'1 '.repeat(400_000)}]`, objects: ['<</A 90 0 R>>'] }),
  },
  {
    name: '190,000 transfer functions that no page uses',
    build: () => onePage({ objects: Array.from({ length: 190_000 }, () => '<</Type/ExtGState/TR 6 0 R>>') }),
  },
  {
    name: 'actions without an end',
    build: () => onePage({ catalog: '/OpenAction 6 0 R', objects: ['<</S/GoTo/Next[6 0 R 6 0 R 6 0 R]>>'] }),
    code: 'DOCUMENT_ACTIVE_CONTENT',
  },
]

function deepTree(levels: number): Buffer {
  const branches = Array.from({ length: levels }, (_, level) => {
    const parent = level === 0 ? '' : `/Parent ${level + 1} 0 R`
    return `<</Type/Pages/Count 1/Kids[${level + 3} 0 R]${parent}>>`
  })
  return buildPdf([CATALOG, ...branches, `<</Type/Page/Parent ${levels + 1} 0 R>>`])
}

function selfLength(): Buffer {
  const text = onePage({ content: stream('', ' ') }).toString('latin1')
  return Buffer.from(
    text.replace('/Length 1>>', '/Length 4 0 R>>').replace(/startxref\n(\d+)/, (_, at: string) => `startxref\n${Number(at) + 4}`),
    'latin1',
  )
}
