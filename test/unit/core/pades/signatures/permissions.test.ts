// What the level and the locks of a signature permit (ISO 32000-2, 12.8.2), and later revisions in object streams.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { writeAuditHead } from '#core/pades/audit-head.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { rawDict } from '#core/pdf/read/syntax.ts'
import { isName, rawOf } from '#core/pdf/read/value.ts'
import { numberOf } from '#core/pdf/revisions/comparison.ts'
import { AUDIT_HEAD } from '../../../../support/builders/audit-head.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'
import { makeSealAuthority } from '../../../../support/builders/seal-authority.ts'
import { drawSealForm } from '../../../../support/builders/seal-form.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'
import { revised } from '../forgeries.ts'
import { SEALED_AT, sealedFile } from '../sealed-file.ts'
import { appendObjectStream } from './object-stream-revision.ts'
import {
  catalog,
  changesOf,
  document,
  EMPTY_FIELD,
  FORM,
  NOTE,
  type Objects,
  page,
  signedDocument,
  stream,
  TEXT_FIELD,
  WIDGET,
} from './signed-document.ts'

let key: SigningKey
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
})

function certified(level: number): Buffer {
  return signedDocument(key, `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P ${level}/V/1.2>>>>]`)
}

function locking(parameters: string): Buffer {
  return signedDocument(key, `/Reference[<</Type/SigRef/TransformMethod/FieldMDP/TransformParams<<${parameters}/V/1.2>>>>]`)
}

describe('what a signature permits', () => {
  const filled: Objects = [[6, `${TEXT_FIELD}/V(Ada)>>`]]
  const noted: Objects = [
    [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
    [9, `${NOTE.replace('a note', 'another')}>>`],
    [20, `${NOTE}>>`],
  ]
  const linked: Objects = [
    [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
    [20, '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://a.test)>>>>'],
  ]
  const signedLater: Objects = [
    [7, `${EMPTY_FIELD}/V 20 0 R>>`],
    [20, '<</Type/Sig>>'],
  ]
  const stamped: Objects = [
    [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
    [20, `${WIDGET}/Rect[0 0 0 0]/V 21 0 R>>`],
    [21, '<</Type/DocTimeStamp>>'],
  ]

  it.each<[string, () => Buffer, Objects, string]>([
    ['level 1: a filled field', () => certified(1), filled, 'NOT_PERMITTED: a field was filled'],
    ['level 1: a signature', () => certified(1), signedLater, 'NOT_PERMITTED: it was signed although that is not permitted'],
    ['level 1: a time stamp', () => certified(1), stamped, 'PERMITTED'],
    ['level 2: a filled field', () => certified(2), filled, 'PERMITTED'],
    ['level 2: a note', () => certified(2), noted, 'NOT_PERMITTED: an annotation was added'],
    ['level 3: a note', () => certified(3), noted, 'PERMITTED'],
    ['level 3: a link', () => certified(3), linked, 'NOT_PERMITTED: an annotation was added'],
    ['an unknown level: a filled field', () => certified(7), filled, 'NOT_PERMITTED: a field was filled'],
    ['all fields locked: a filled field', () => locking('/Action/All'), filled, 'NOT_PERMITTED: a locked field was changed'],
    ['all fields locked: a time stamp', () => locking('/Action/All'), stamped, 'PERMITTED'],
    ['this field locked', () => locking('/Action/Include/Fields[(name)]'), filled, 'NOT_PERMITTED: a locked field was changed'],
    ['another field locked', () => locking('/Action/Include/Fields[(names)]'), filled, 'PERMITTED'],
    ['all but this field locked', () => locking('/Action/Exclude/Fields[(name)]'), filled, 'PERMITTED'],
    [
      'all but another field locked',
      () => locking('/Action/Exclude/Fields[(later)]'),
      filled,
      'NOT_PERMITTED: a locked field was changed',
    ],
  ])('%s', (_, original, objects, expected) => {
    expect(changesOf(revised(original(), new Map(objects)))).toBe(expected)
  })
})

it('a seal locks every field, and permits a further seal', async () => {
  const sealed = await sealedFile(key, document)
  expect(changesOf(revised(sealed, new Map([[6, `${TEXT_FIELD}/V(Ada)>>`]])))).toBe('NOT_PERMITTED: a locked field was changed')
  expect(changesOf(await sealedFile(key, sealed))).toBe('PERMITTED')
})

describe('after a seal', () => {
  const DRAWS = 'NOT_PERMITTED: a signature that shows something was added'
  /** The price is written at 20, 100; there is nothing above 120. */
  const [OVER_TEXT, FREE, NOTHING] = ['[20 95 120 115]', '[20 130 120 160]', '[0 0 0 0]']
  const EMPTY_FORM = stream('/Subtype/Form/BBox[0 0 0 0]', '% nothing')
  const sealed = (original = document): Buffer => signedDocument(key, `/Reason(${writeAuditHead(AUDIT_HEAD)})`, original)
  /** A new signed field with this look. */
  const added = (rect: string, more = '', signature = '<</Type/Sig>>'): Objects => [
    [1, catalog('', '6 0 R 7 0 R 10 0 R 20 0 R')],
    [3, page('', '6 0 R 7 0 R 9 0 R 10 0 R 20 0 R')],
    [20, `${WIDGET}/Rect${rect}/V 21 0 R/AP<</N 22 0 R>>${more}>>`],
    [21, signature],
    [22, stream('/Subtype/Form/BBox[0 0 100 20]', '0 0 100 20 re f')],
  ]
  const unpainted = (more = '', signature?: string): Objects => [
    ...added(NOTHING, more, signature).slice(0, 4),
    [22, stream('/Subtype/Form/BBox[0 0 0 0]/Resources<</XObject<</A 23 0 R>>>>', 'q 1 0 0 1 0 0 cm /A Do Q')],
    [23, EMPTY_FORM],
  ]
  const withFlags = (flags: string): Objects =>
    added(OVER_TEXT).map(([num, body]) => [num, body.replace('/F 132', `/F ${flags}`)])
  /** The empty field of the document, elsewhere, and signed. */
  const withField = (rect: string): string => EMPTY_FIELD.replace(NOTHING, rect)
  const documentWith = (rect: string): Buffer =>
    Buffer.from(
      simplePdf({
        content: 'BT /F1 12 Tf 20 100 Td (Price: 100) Tj ET',
        catalog: `/AcroForm<</Fields[6 0 R 7 0 R]${FORM}>>`,
        page: '/Resources<</Font<</F1 5 0 R>>>>/Annots[6 0 R 7 0 R 9 0 R]',
        objects: [
          `${TEXT_FIELD.replace('/AP<</N 8 0 R>>', '')}>>`,
          `${withField(rect)}/AP<</N 8 0 R>>>>`,
          stream('/Subtype/Form/BBox[0 0 80 20]', ''),
          `${NOTE}>>`,
        ],
      }),
    )
  const signedAt = (rect: string): Objects => [
    [7, `${withField(rect)}/V 20 0 R/AP<</N 21 0 R>>>>`],
    [20, '<</Type/Sig>>'],
    [21, stream('/Subtype/Form/BBox[0 0 100 20]', '0 0 100 20 re f')],
  ]

  it.each<[string, () => Buffer, Objects, string]>([
    ['an invisible signature', sealed, unpainted(), 'PERMITTED'],
    ['a hidden signature', sealed, withFlags('2'), 'PERMITTED'],
    ['one that is hidden only for readers that take 2.0 for an integer', sealed, withFlags('2.0'), DRAWS],
    ['a time stamp', sealed, unpainted('', '<</Type/DocTimeStamp>>'), 'PERMITTED'],
    ['a signature on free room', sealed, added(FREE), DRAWS],
    ['a signature over the text', sealed, added(OVER_TEXT), DRAWS],
    ['one that has no look', sealed, added(FREE).map(([num, body]) => [num, body.replace('/AP<</N 22 0 R>>', '')]), DRAWS],
    ['one that paints in an empty rectangle', sealed, added(NOTHING), DRAWS],
    ['one that paints without a rectangle', sealed, added(FREE).map(([n, body]) => [n, body.replace(`/Rect${FREE}`, '')]), DRAWS],
    [
      'one that paints through a form',
      sealed,
      [...unpainted().slice(0, -1), [23, stream('/Subtype/Form/BBox[0 0 9 9]', 'BT /F1 9 Tf (000) Tj ET')]],
      DRAWS,
    ],
    [
      'one that paints when clicked',
      sealed,
      [...unpainted(), [24, stream('', '0 0 9 9 re f')]].map(([num, body]) => [
        num,
        `${body}`.replace('/N 22 0 R', '/N 22 0 R/D<</On 24 0 R>>'),
      ]) as Objects,
      DRAWS,
    ],
    ['one whose rectangle is written the other way round', sealed, added('[120 115 20 95]'), DRAWS],
    ['one whose rectangle cannot be read', sealed, added('[20 95 120 (x)]'), DRAWS],
    ['one with unreadable flags', sealed, added(FREE).map(([n, body]) => [n, body.replace('/F 132', '/F -1')]), DRAWS],
    [
      'one that is a note',
      sealed,
      unpainted().map(([num, body]) => [num, body.replace('/Subtype/Widget', '/Subtype/Text')]),
      'NOT_PERMITTED: an annotation was added',
    ],
    ['the empty field, signed', () => sealed(documentWith(FREE)), signedAt(FREE), DRAWS],
    [
      'the empty field, signed without a new look',
      () => sealed(documentWith(FREE)),
      [
        [7, `${withField(FREE)}/AP<</N 8 0 R>>/V 20 0 R>>`],
        [20, '<</Type/Sig>>'],
      ],
      'PERMITTED',
    ],
    [
      'the empty field that readers draw, signed',
      () => sealed(Buffer.from(documentWith(FREE).toString('latin1').replace('/AP<</N 8 0 R>>', '/MK<</X 8 0 R>>'))),
      [
        [7, `${withField(FREE)}/MK<</X 8 0 R>>/V 20 0 R>>`],
        [20, '<</Type/Sig>>'],
      ],
      DRAWS,
    ],
    [
      'the empty field, signed with its look overwritten',
      () => sealed(documentWith(FREE)),
      [
        [7, `${withField(FREE)}/AP<</N 8 0 R>>/V 20 0 R>>`],
        [8, stream('/Subtype/Form/BBox[0 0 80 20]', '0 0 80 20 re f')],
        [20, '<</Type/Sig>>'],
      ],
      DRAWS,
    ],
    ['the hidden field, signed and shown', () => sealed(documentWith(`${FREE}/F 2`)), signedAt(`${FREE}/F 4`), DRAWS],
    [
      'a new look of an empty field',
      () => sealed(documentWith(FREE)),
      [[8, stream('/Subtype/Form/BBox[0 0 80 20]', '0 0 80 20 re f')]],
      'NOT_PERMITTED: a part of its content (object 8) was changed',
    ],
    [
      'a signature in place of what a field had as its signature',
      () => sealed(documentWith(`${OVER_TEXT}/V 8 0 R`)),
      [[8, '<</Type/Sig>>']],
      DRAWS,
    ],
  ])('%s', (_, original, objects, expected) => {
    expect(changesOf(revised(original(), new Map(objects)))).toBe(expected)
  })
})

describe('a further seal over the text', () => {
  let folder: string
  let first: SigningKey
  let others: Readonly<Record<string, SigningKey>>
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sealwright-authority-'))
    const authority = await makeSealAuthority(folder)
    const issue = async (algorithm: string) => openP12(await authority.issueP12(algorithm, 'secret'), 'secret', new Date()).key
    first = await issue('rsa:2048')
    const sameName = await newSelfSignedKey({ commonName: 'seal rsa:2048', organisation: 'Mill Lane gardens', now: SEALED_AT })
    others = { same: first, renewed: await issue('rsa:2048'), neighbour: await issue('ec:P-256'), forged: sameName }
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each([
    ['same', 'PERMITTED'],
    ['renewed', 'PERMITTED'],
    ['neighbour', 'NOT_PERMITTED: a signature that shows something was added'],
    ['forged', 'NOT_PERMITTED: a signature that shows something was added'],
  ])('by the %s certificate: %s', async (name, expected) => {
    const sealed = await sealedFile(first, document)
    const plan = readSealPlan(openBytes(sealed), [0])
    const placements = [{ form: 0, page: 0, matrix: [1, 0, 0, 1, 20, 90] as const, layout: 0 }]
    const forms = [await drawSealForm()]
    const seal = { original: sealed, plan, placements, forms, key: others[name]!, sealedAt: SEALED_AT, auditHead: AUDIT_HEAD }
    expect(changesOf(await sealPdf(seal))).toBe(expected)
  })
})

describe('in object streams', () => {
  const compressed = () => pdfFixture('openpdf.pdf')

  it('an action on opening is found', async () => {
    const sealed = await sealedFile(key, readFileSync(compressed()))
    const file = openBytes(sealed)
    const root = numberOf(file.trailer.entries.get('Root'))!
    const opening = rawDict(file.catalog(), [], [['OpenAction', '<</S/Named/N/Print>>']]).toString('latin1')
    expect(changesOf(appendObjectStream(sealed, new Map([[root, opening]])))).toBe(
      'NOT_PERMITTED: settings of the document were changed',
    )
    expect(changesOf(appendObjectStream(sealed, new Map([[9000, '<<>>']])))).toBe('PERMITTED')
  })

  it('the replacement of a whole object stream is found', async () => {
    const sealed = await sealedFile(key, readFileSync(compressed()))
    const file = openBytes(sealed)
    const container = [...file.objectNumbers()].find((num) => {
      const value = file.get(num)
      return value.kind === 'stream' && isName(value.dict.entries.get('Type'), 'ObjStm')
    })!
    const value = file.get(container)
    if (value.kind !== 'stream') throw new Error('the fixture has no object streams')
    const data = `${file.decode(value)!.toString('latin1')} `
    const [count, first] = ['N', 'First'].map((name) => rawOf(value.dict.entries.get(name)!).toString('latin1'))
    const replaced = stream(`/Type/ObjStm/N ${count}/First ${first}`, data)
    expect(changesOf(appendObjectStream(sealed, new Map([[9000, '<<>>']]), new Map([[container, replaced]])))).toBe(
      'NOT_PERMITTED: an object stream with members that are not listed was added',
    )
  })
})
