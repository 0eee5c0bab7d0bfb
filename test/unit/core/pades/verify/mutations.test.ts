// Whatever byte of a sealed file is another one, the seal does not hold; and nothing that is read makes the check fail in another way
// than by its verdict.
import { fc, runs } from '../../../../support/builders/properties.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { buildCms } from '../cms-builder.ts'
import { gapOf, SEALED_AT, sealedFile, signFile, unsignedFile } from '../sealed-file.ts'

const LOWEST_BIT = 0x01
/** Changes the case of a letter. */
const CASE_BIT = 0x20

let key: SigningKey
let sealed: Buffer
let start: number
let end: number
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  sealed = await sealedFile(key)
  const gap = gapOf(sealed)
  start = gap.gapStart
  end = gap.gapEnd
})

function isValid(bytes: Buffer): boolean {
  const { valid, reasons } = verifyPdf(bytes, { trust: [key.certificate] })
  expect(reasons.length === 0).toBe(valid)
  return valid
}

/** The positions where the file stays valid with this bit flipped. */
function survivors(from: number, to: number, bit: number): number[] {
  const positions: number[] = []
  for (let position = from; position < to; position++) {
    sealed[position]! ^= bit
    if (isValid(sealed)) positions.push(position)
    sealed[position]! ^= bit
  }
  return positions
}

describe('one bit', () => {
  it('flipped anywhere in the file is detected', () => {
    expect(survivors(0, sealed.length, LOWEST_BIT)).toEqual([])
    expect(isValid(sealed)).toBe(true)
  })

  it('flipped anywhere in the gap is detected, even in the case of a digit', () => {
    expect(survivors(start, end, CASE_BIT)).toEqual([])
  })
})

describe('any other change', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    remove: fc.nat({ max: 40 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom('<<', '>>', '/V', ' 0 R', '[', 'endobj', '<00>').map((text) => Buffer.from(text)),
    ),
  })

  it('to the file is detected and never throws', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const mutated = edits.reduce(apply, sealed)
        expect(isValid(mutated)).toBe(mutated.equals(sealed))
      }),
      { numRuns: runs(150) },
    )
  })

  it('to the CMS is detected and never throws', () => {
    const unsigned = unsignedFile()
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let changed = false
        const bytes = signFile(unsigned, (digest) => {
          const cms = buildCms(key, digest)
          const mutated = edits.reduce(apply, cms)
          changed = !mutated.equals(cms)
          return mutated
        })
        expect(isValid(bytes)).toBe(!changed)
      }),
      { numRuns: runs(150) },
    )
  })

  it('that only starts like a PDF is not accepted as one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(isValid(Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes, Buffer.from('\nstartxref\n9\n%%EOF\n')]))).toBe(false)
      }),
      { numRuns: runs(100) },
    )
  })

  function apply(bytes: Buffer, { at, remove, insert }: { at: number; remove: number; insert: Uint8Array }): Buffer {
    const position = Math.floor(at * bytes.length)
    return Buffer.concat([bytes.subarray(0, position), insert, bytes.subarray(position + remove)])
  }
})
