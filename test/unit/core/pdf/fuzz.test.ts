// Valid files with some bytes changed: the reader either reads them or throws a PdfError soon. Any other error, such as a TypeError, fails
// the test.
import { readFileSync } from 'node:fs'
import { fc, runs } from '../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { needsOnePage, readSealPlan } from '#core/pdf/plan/seal-plan.ts'
import { writeIncrement } from '#core/pdf/increment/increment.ts'
import { openBytes, readEverything, refusalOf } from '../../../support/judges/open-pdf.ts'
import { PdfBuilder, simplePdf } from '../../../support/builders/pdf-builder.ts'
import { pdfFixture } from '../../../support/builders/pdf-fixtures.ts'

const RUNS = runs(250)
const MAX_MILLISECONDS = 2_000

function compressed(): Buffer {
  const members = new Map([
    [1, '<</Type/Catalog/Pages 2 0 R/AcroForm 7 0 R/Extensions<</ADBE 1>>>>'],
    [2, '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 200 200]/Resources 5 0 R>>'],
    [3, '<</Type/Page/Parent 2 0 R/Contents[6 0 R 6 0 R]/Annots 8 0 R/Rotate 90>>'],
    [4, '<</Type/Page/Parent 2 0 R/Contents 6 0 R/CropBox[0 0 9 9]>>'],
    [5, '<</Font<</F1<</Type/Font>>>>/XObject<</A 6 0 R>>>>'],
    [7, '<</Fields 8 0 R/NeedAppearances true>>'],
    [8, '[<</T(Sealwright)/Subtype/Widget/Kids[<</FT/Sig/V<<>>>>]>>]'],
  ])
  const builder = new PdfBuilder({ prefix: 'x' }).stream(6, '/Filter[/AHx/RL]/DecodeParms[null null]', '02713151 80>')
  return builder.objectStream(9, members).xrefStream(10, '/Root 1 0 R/ID[(a)(b)]').bytes()
}

const FILES: readonly (readonly [string, Buffer])[] = [
  ['a table', simplePdf({ trailer: '/Info 5 0 R', catalog: '/AcroForm<</Fields[]>>', page: '/Annots[]' })],
  ['object streams', compressed()],
  ['a hybrid file', readFileSync(pdfFixture('hybrid-reference.pdf'))],
  ['a linearized file', readFileSync(pdfFixture('qpdf-linearized-object-streams.pdf'))],
  ['forms as objects', readFileSync(pdfFixture('form-indirect-arrays.pdf'))],
  ['a signed file', readFileSync(pdfFixture('signed-pyhanko.pdf'))],
]

const HOSTILE = [
  '<<',
  '>>',
  '[',
  ']',
  '(',
  ')',
  '<',
  ' 0 R ',
  ' R',
  '-1',
  '99999999999',
  '0',
  '/',
  '%',
  'endobj',
  'null',
  '\0',
  '1.5',
  'stream\n',
]

interface Change {
  readonly at: number
  readonly cut: number
  readonly put: Uint8Array
}

/** Positions are fractions of the file, so one change applies to every file. */
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.oneof({ weight: 6, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(2000) }),
  put: fc.oneof(
    fc.constantFrom(...HOSTILE).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 3 }),
    fc.nat(1000).map((number) => Buffer.from(String(number))),
  ),
})

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce((current, { at, cut, put }) => {
    const start = Math.floor(at * current.length)
    return Buffer.concat([current.subarray(0, start), put, current.subarray(start + cut)])
  }, bytes)
}

/** Overwrites in place, so that later offsets stay valid. */
function overwritten(bytes: Buffer, changes: readonly Change[]): Buffer {
  const copy = Buffer.from(bytes)
  for (const { at, put } of changes)
    copy.set(put.subarray(0, Math.max(0, copy.length - Math.floor(at * copy.length))), Math.floor(at * copy.length))
  return copy
}

function use(bytes: Buffer): void {
  const file = openBytes(bytes)
  readEverything(file)
  const plan = readSealPlan(file, [0])
  const input = { forms: [], placements: [], signatureEntries: '', contentsBytes: 8, fieldDescription: '', documentIdSeed: bytes }
  const sealed = Buffer.concat([bytes, writeIncrement(plan, input).bytes])
  // An increment to an accepted document is accepted as well.
  readEverything(openBytes(sealed))
  expect(needsOnePage(readSealPlan(openBytes(sealed), [0]))).toBe(true)
}

describe.each(FILES)('%s', (_, bytes) => {
  test('is accepted as it is', () => {
    expect(refusalOf(() => use(bytes))).toBe('accepted')
  })

  test.each([
    ['inserted and cut', changed],
    ['overwritten', overwritten],
  ])('with bytes %s is read or refused, soon', (__, apply) => {
    const tally = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const started = performance.now()
        const outcome = refusalOf(() => use(apply(bytes, changes)))
        expect(performance.now() - started).toBeLessThan(MAX_MILLISECONDS)
        tally[outcome === 'accepted' ? 'accepted' : 'refused']++
      }),
      { numRuns: RUNS },
    )
    // Both outcomes must occur often enough.
    expect(Math.min(tally.accepted, tally.refused)).toBeGreaterThan(RUNS / 100)
  })
})
