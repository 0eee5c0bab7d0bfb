// Streams that decompress to far more than their size.
import { deflateSync } from 'node:zlib'
import { buildCompressedPdf, deflated, onePage, onePageBodies, stream } from '../hostile-pdfs.ts'
import { WITH_FORMS } from '../../builders/marker-cases.ts'
import { BELOW, type Bomb, content, flate, MIB, OVER, pages, repeated, withFont, xrefStream } from './bomb.ts'

export const UNPACKING: readonly Bomb[] = [
  { name: 'a page content', build: content(' ', OVER), code: 'DOCUMENT_TOO_COMPLEX' },
  {
    name: 'a page content under an escaped filter name',
    build: () => onePage({ content: stream('/Filter/Fl#61teDecode', repeated(' ', OVER)) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content under a short filter name',
    build: () => onePage({ content: stream('/Filter[/Fl]', repeated(' ', OVER)) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content that is deflated twice',
    build: () => onePage({ content: stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(repeated(' ', OVER))) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content behind five filters',
    build: () => onePage({ content: stream(`/Filter[${'/ASCIIHexDecode'.repeat(5)}]`, '>') }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content of deflated runs',
    build: () => onePage({ content: stream('/Filter[/FlateDecode/RunLengthDecode]', repeated('\x81 ', 2 * MIB)) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content of deflated zeros in base 85',
    build: () => onePage({ content: stream('/Filter[/FlateDecode/ASCII85Decode]', repeated('z', 20 * MIB)) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content in LZW',
    build: () => onePage({ content: stream('/Filter/LZWDecode', longRunInLzw(11)) }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a page content with rows as long as its data',
    build: () =>
      onePage({
        content: stream(`/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns ${50 * MIB}>>`, repeated('\0', 50 * MIB + 1)),
      }),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a page content with rows longer than memory',
    build: () =>
      onePage({
        content: stream('/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2147483647/Colors 32>>', repeated('\0', MIB)),
      }),
    code: 'DOCUMENT_INVALID',
  },
  {
    name: 'a page content in parts',
    build: () => pages([9], [4, 5, 6, 7].map(() => flate('', ' ', 20 * MIB)).concat('null', '[4 0 R 5 0 R 6 0 R 7 0 R]')),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'the same part of a page content over and over',
    build: () => pages([5], [flate('', ' ', 20 * MIB), `[${'4 0 R '.repeat(10)}]`]),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'an empty part of a page content a million times',
    build: () => pages([5], [stream('', ''), `[${'4 0 R '.repeat(400_000)}]`]),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'hundred thousands of absent parts on many pages',
    build: () =>
      pages(
        Array.from({ length: 1_000 }, () => 4),
        [`[${'null '.repeat(400_000)}]`],
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'empty parts on many pages',
    build: () =>
      pages(
        Array.from({ length: 1_000 }, () => 5),
        [deflated('', ''), `[${'4 0 R '.repeat(1_000)}]`],
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'the contents of five pages',
    build: () =>
      pages(
        [4, 5, 6, 7, 8],
        [4, 5, 6, 7, 8].map(() => flate('', ' ', BELOW)),
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'one content on five pages',
    build: () => pages([4, 4, 4, 4, 4], [flate('', ' ', BELOW)]),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'one content without a filter on five hundred pages',
    build: () =>
      pages(
        Array.from({ length: 500 }, () => 4),
        [stream('', Buffer.alloc(10 * MIB, ' '))],
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a picture as the content of five hundred pages',
    build: () =>
      pages(
        Array.from({ length: 500 }, () => 4),
        [stream('/Filter/DCTDecode', Buffer.alloc(10 * MIB, ' '))],
      ),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a form',
    build: () => onePage({ content: stream('', '/X Do'), resources: WITH_FORMS, objects: [flate('/Subtype/Form', ' ', OVER)] }),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a text map of a font',
    build: () => withFont('/Subtype/TrueType/ToUnicode 7 0 R', flate('', ' ', OVER)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a code map of a font',
    build: () => withFont('/Subtype/Type0/DescendantFonts[<</BaseFont/A>>]/Encoding 7 0 R', flate('', ' ', OVER)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  { name: 'an object stream', build: () => largeObjectStream(), code: 'DOCUMENT_TOO_COMPLEX' },
  {
    name: 'a cross-reference stream',
    build: () => xrefStream('/W[1 4 2]/Size 9000000', repeated('\0', OVER)),
    code: 'DOCUMENT_TOO_COMPLEX',
  },
  {
    name: 'a picture, which the inspection does not unpack',
    build: () => onePage({ objects: [flate('/Subtype/Image', ' ', OVER)] }),
  },
  {
    name: 'a font program, which the inspection does not unpack',
    build: () => withFont('/Subtype/TrueType/FontDescriptor<</FontFile2 7 0 R>>', flate('', ' ', OVER)),
  },
  {
    name: 'an attached file, which the inspection does not unpack',
    build: () => onePage({ objects: [flate('/Type/EmbeddedFile', ' ', OVER)] }),
  },
]

function largeObjectStream(): Buffer {
  return buildCompressedPdf(onePageBodies({ objects: [`(${' '.repeat(OVER)})`] }))
}

/** LZW codes that each add one blank to the previous one, until the table is full; 7 MiB per table. */
function longRunInLzw(tables: number): Buffer {
  const bits = ['100000000']
  for (let table = 0; table < tables; table++) {
    for (let code = 257; code < 4_093; code++) {
      const width = Math.floor(Math.log2(Math.max(code, 510) + 1)) + 1
      bits.push((code === 257 ? 32 : code).toString(2).padStart(Math.max(width, 9), '0'))
    }
    bits.push('000100000000')
  }
  const text = bits.join('')
  return Buffer.from(text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
