// Oddities of a file: its end, its tables, its page tree, several versions of an object.
import { PdfBuilder } from '../../builders/pdf-builder.ts'
import { anyOf, type SeededRandom } from '../../builders/seeded-random.ts'
import { contract, contractFile, LINES, linesOf, type OddKind, OTHER_FACE, streamObject } from './odd-document.ts'

const NEWEST = linesOf(LINES).join('\n')
const OLDER = linesOf([OTHER_FACE]).join('\n')
const PAGE = '/Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>'
/** How far readers search for the end of a file. */
const LENGTHS = [0, 500, 1_500, 3_000, 6_000]

export const FILE_KINDS: readonly OddKind[] = [
  { name: 'an update that lost its end', harmless: false, make: cutUpdate },
  { name: 'a damaged table', harmless: true, make: damagedTable },
  { name: 'bytes at its ends', harmless: true, make: bytesAtEnds },
  { name: 'a page tree that does not count its pages', harmless: true, make: oddTree },
  { name: 'a key twice', harmless: false, make: duplicateKey },
  {
    name: 'a freed object that is referred to',
    harmless: false,
    make: freedObject,
  },
  { name: 'a stream with a wrong length', harmless: true, make: wrongLength },
  { name: 'an object both plain and compressed', harmless: false, make: twoCopies },
]

/** The older version of the content, then the newest up to some byte. */
function cutUpdate(random: SeededRandom): Buffer {
  const builder = contract({ content: OLDER }).table('/Root 1 0 R')
  const before = builder.bytes().length
  if (random(2) === 0) builder.stream(4, '', NEWEST)
  else builder.stream(7, '', NEWEST).object(3, `<<${PAGE.replace('4 0 R', '7 0 R')}>>`)
  builder.raw(`%${'x'.repeat(anyOf(LENGTHS, random))}\n`).table('/Root 1 0 R')
  const whole = builder.bytes()
  const kept = Math.min(whole.length, before + 1 + random(whole.length - before + 40))
  // Most cuts at the very end, where only the table is lost.
  return random(3) === 0 ? whole.subarray(0, kept) : whole.subarray(0, whole.length - 1 - random(60))
}

function damagedTable(random: SeededRandom): Buffer {
  const whole = contractFile({}).toString('latin1')
  const shift = 1 + random(9)
  const change: readonly [string | RegExp, string][] = [
    [/ n \n/g, ' n\n'],
    [/ n \n/g, ' n  \n'],
    [/(\d{10}) 00000 n/g, '0000000000 00000 n'],
    [/\n(\d{9})\d 00000 n/g, `\n$1${shift} 00000 n`],
    [/startxref\n\d+/, `startxref\n${shift}`],
    [/startxref\n\d+/, 'startxref\n0'],
    [/startxref\n\d+/, `startxref\n99999${shift}`],
    [/\/Size \d+/, `/Size ${shift}`],
    [/xref\n0 1\n0000000000 65535 f \n/, 'xref\n'],
    [/trailer\n<<.*>>/, ''],
    ['trailer', 'trialer'],
    [/xref\n[^]*?trailer/, 'xref\ntrailer'],
    [/\/Root 1 0 R/, '/Root 9 0 R'],
    [/\n/g, '\r\n'],
  ]
  return Buffer.from(whole.replace(...anyOf(change, random)), 'latin1')
}

function bytesAtEnds(random: SeededRandom): Buffer {
  const junk = anyOf(['\n', ' \r\n', '\0'.repeat(1 + random(3_000)), '<html>page</html>', 'From: mail\n\n', '%%EOF\n'], random)
  const prefix = random(2) === 0 ? Buffer.from(junk.slice(0, 900)) : Buffer.alloc(0)
  const fromHeader = random(2) === 0
  const builder = new PdfBuilder({ prefix: prefix.toString('latin1'), fromHeader })
  const file = contract({}, builder).table('/Root 1 0 R').bytes()
  return prefix.length > 0 ? file : Buffer.concat([file, Buffer.from(junk)])
}

function oddTree(random: SeededRandom): Buffer {
  const kids = anyOf(
    [
      '[3 0 R]/Count 2',
      '[3 0 R]/Count 0',
      '[3 0 R]',
      '[3 0 R null]/Count 1',
      '[3 0 R null]/Count 2',
      '[null 3 0 R]/Count 1',
      '[null 3 0 R]/Count 2',
      '[3 0 R 3 0 R]/Count 2',
      '[3 0 R 6 0 R]/Count 2',
      '[3 0 R 6 0 R]/Count 1',
      '[6 0 R 3 0 R]/Count 5',
      '[3 0 R 9 0 R]/Count 2',
      '[7 0 R 3 0 R]/Count 2',
      '[7 0 R 3 0 R]/Count 3',
      '[3 0 R 8 0 R]/Count 3',
    ],
    random,
  )
  const second = `<<${PAGE}/Rotate 0>>`
  const branch = `<</Type/Pages/Parent 2 0 R/Kids[6 0 R]/Count ${anyOf([0, 1, 2], random)}>>`
  return contractFile({
    kids,
    objects: [random(2) === 0 ? second.replace('2 0 R', '7 0 R') : second, branch, '<</Parent 2 0 R/Count 2>>'],
  })
}

function duplicateKey(random: SeededRandom): Buffer {
  const other = streamObject('', OLDER)
  return anyOf(
    [
      () => contractFile({ page: '/Contents 6 0 R', objects: [other] }),
      () => contractFile({ page: '/MediaBox[0 0 595 842]' }),
      () => contractFile({ fonts: '/F1 5 0 R/F1 5 0 R' }),
      () =>
        contractFile({
          catalog: '/Pages 6 0 R',
          objects: [`<</Type/Pages/Kids[7 0 R]/Count 1>>`, `<<${PAGE.replace('2 0 R', '6 0 R')}>>`],
        }),
      () => contractFile({ catalog: '/Lang(en)/Lang(de)' }),
      () => contractFile({ resources: '/Font<</F1 5 0 R>>' }),
      () => contractFile({ contentEntries: '/Length 5' }),
      () => contract({}).table('/Root 1 0 R/Root 1 0 R').bytes(),
    ],
    random,
  )()
}

/** An update frees a form or content that the page still shows; perhaps another flaw makes the file irregular. */
function freedObject(random: SeededRandom): Buffer {
  const form = streamObject('/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>', OLDER)
  const builder = contract({ resources: '/XObject<</Fm 6 0 R>>', content: `${NEWEST}\n/Fm Do`, objects: [form] })
  builder.table('/Root 1 0 R')
  builder.entries.set(6, { type: 'free' })
  if (random(2) === 0) builder.object(2, '<</Type/Pages/Kids[3 0 R]/Count 2>>')
  return builder.table('/Root 1 0 R').bytes()
}

function wrongLength(random: SeededRandom): Buffer {
  const whole = contractFile({}).toString('latin1')
  const length = Number(/\/Length (\d+)/.exec(whole)?.[1])
  const wrong = anyOf([0, 1, length - 1, length - 20, length + 1, length + 5, length + 60, length + 9_999, -5], random)
  return Buffer.from(whole.replace(`/Length ${length}`, `/Length ${wrong}`), 'latin1')
}

/** The table or the stream names one of two contents; the other one is before or behind it. */
function twoCopies(random: SeededRandom): Buffer {
  const pageWith = (contents: string) => `<<${PAGE.replace('4 0 R', contents)}>>`
  const builder = contract({ objects: [streamObject('', OLDER)] })
  const plain = builder.entries.get(3)
  builder.objectStream(8, new Map([[3, pageWith('6 0 R')]]))
  const named = random(3)
  if (named === 0 && plain !== undefined) builder.entries.set(3, plain)
  if (named === 1) builder.object(3, pageWith('4 0 R'))
  return builder.xrefStream(9, '/Root 1 0 R').bytes()
}
