// Forged files, each made from a genuine seal. Most of them pass a check that only verifies the CMS.
import { beforeAll, describe, expect, it } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { openBytes } from '../../../../support/judges/open-pdf.ts'
import { simplePdf } from '../../../../support/builders/pdf-builder.ts'
import {
  overlayAnnotation,
  overwrite,
  reviseSignature,
  revised,
  saveIncrementally,
  saveWithCopiedSignature,
  saveWithWiderRange,
  wrapSignature,
} from '../forgeries.ts'
import { buildCms } from '../cms-builder.ts'
import { ENTRIES, gapOf, SEALED_AT, sealedFile, signFile, unsignedFile } from '../sealed-file.ts'

let key: SigningKey
let other: SigningKey
let genuine: Buffer
beforeAll(async () => {
  const house = { organisation: 'House', now: SEALED_AT }
  key = await newSelfSignedKey({ commonName: 'Seal', ...house })
  other = await newSelfSignedKey({ commonName: 'Seal', ...house })
  genuine = await sealedFile(key)
})

function reasonsOf(bytes: Buffer): readonly string[] {
  return verifyPdf(bytes, {}).reasons
}

/** The text that a viewer shows on the only page. */
function shown(bytes: Buffer): string | undefined {
  const file = openBytes(bytes)
  const contents = file.resolve(file.page(0).dict.entries.get('Contents'))
  return contents.kind === 'stream' ? file.decode(contents)?.toString('latin1') : undefined
}

describe('a genuine file', () => {
  it('is valid before it is attacked', () => {
    expect(reasonsOf(genuine)).toEqual([])
    expect(shown(genuine)).toContain('Price: 100')
  })
})

describe('incremental saving', () => {
  it.each([
    ['that replaces the text', saveIncrementally, 'COVERAGE_INCOMPLETE'],
    ['that copies the signature into the new revision', saveWithCopiedSignature, 'COVERAGE_INCOMPLETE'],
    ['that widens the range of the copied signature', saveWithWiderRange, 'DIGEST_MISMATCH'],
  ])('%s is found', (_, attack, reason) => {
    const forged = attack(genuine)
    expect(shown(forged)).toContain('Price: 999999')
    expect(reasonsOf(forged)).toEqual([reason])
  })

  it('that adds an annotation over the text is detected', () => {
    const forged = overlayAnnotation(genuine)
    expect(openBytes(forged).page(0).dict.entries.has('Annots')).toBe(true)
    expect(reasonsOf(forged)).toEqual(['COVERAGE_INCOMPLETE'])
  })

  it('that changes nothing is detected as well', () => {
    expect(reasonsOf(revised(genuine, new Map([[99, '<<>>']])))).toEqual(['COVERAGE_INCOMPLETE'])
  })
})

describe('signature wrapping', () => {
  it('is detected by the content of the gap', () => {
    const forged = wrapSignature(genuine)
    expect(shown(forged)).toContain('Price: 999999')
    expect(reasonsOf(forged)).toEqual(['GAP_MISMATCH'])
  })
})

describe('a universal forgery', () => {
  const RANGE = /\/ByteRange\[[^\]]*\]/
  const CONTENTS = /\/Contents <[0-9a-f]+>/

  it.each([
    ['a byte range of zeros', RANGE, '/ByteRange[0 0 0 0]', 'COVERAGE_INCOMPLETE'],
    ['no byte range', RANGE, '', 'COVERAGE_INCOMPLETE'],
    ['a null byte range', RANGE, '/ByteRange null', 'COVERAGE_INCOMPLETE'],
    ['an empty byte range', RANGE, '/ByteRange[]', 'COVERAGE_INCOMPLETE'],
    ['a negative byte range', RANGE, '/ByteRange[0 -1 -1 0]', 'COVERAGE_INCOMPLETE'],
  ])('with %s is found, overwritten or in a new revision', (_, pattern, by, reason) => {
    expect(reasonsOf(overwrite(genuine, pattern, by))).toEqual([reason])
    expect(reasonsOf(reviseSignature(genuine, pattern, by))).toEqual([reason])
  })

  it.each([
    ['null contents', CONTENTS, '/Contents null'],
    ['empty contents', CONTENTS, '/Contents <>'],
    ['contents of one zero', CONTENTS, '/Contents <00>'],
    ['contents as text', CONTENTS, '/Contents (0)'],
    ['no contents', CONTENTS, ''],
  ])('with %s is found, overwritten or in a new revision', (_, pattern, by) => {
    expect(reasonsOf(overwrite(genuine, pattern, by))).toEqual(['GAP_MISMATCH'])
    expect(reasonsOf(reviseSignature(genuine, pattern, by))).toEqual(['COVERAGE_INCOMPLETE'])
  })
})

describe('bytes', () => {
  it.each([
    ['after the end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('garbage')])],
    ['of nothing but an end of line after the end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\n')])],
    ['missing at the end', (bytes: Buffer) => bytes.subarray(0, -1)],
  ])('%s are found', (_, attack) => {
    expect(reasonsOf(attack(genuine))).toEqual(['COVERAGE_INCOMPLETE'])
  })

  it('before the start are detected', () => {
    expect(reasonsOf(Buffer.concat([Buffer.from('%junk\n'), genuine]))).toEqual(['COVERAGE_INCOMPLETE'])
  })

  it('changed in the text are detected', () => {
    const forged = overwrite(genuine, /Price: 100/, 'Price: 900')
    expect(reasonsOf(forged)).toEqual(['DIGEST_MISMATCH'])
  })

  it('changed in the padding of the gap are detected', () => {
    const forged = signFile(unsignedFile(), (digest) => buildCms(key, digest))
    const { gapEnd } = gapOf(forged)
    expect(reasonsOf(forged)).toEqual([])
    forged.write('1', gapEnd - 2)
    expect(reasonsOf(forged)).toEqual(['PADDING_NOT_ZERO'])
  })
})

describe('a second signature', () => {
  it('by another key is not accepted, whatever its names', async () => {
    const overtaken = await sealedFile(other, saveIncrementally(genuine))
    expect(verifyPdf(overtaken, { trust: [key.certificate] })).toMatchObject({
      valid: false,
      trusted: false,
      reasons: ['UNTRUSTED'],
    })
    expect(verifyPdf(overtaken, { trust: key.chain })).toMatchObject({ valid: false, trusted: false, reasons: ['UNTRUSTED'] })
  })

  it('with a copy of our CMS in its gap is not accepted', async () => {
    const { gapStart, gapEnd } = gapOf(genuine)
    const cms = Buffer.from(genuine.toString('latin1', gapStart + 1, gapEnd - 1), 'hex')
    const overtaken = signFile(unsignedFile(ENTRIES, { original: saveIncrementally(genuine) }), () => cms)
    expect(verifyPdf(overtaken, { trust: [key.certificate] }).reasons).toEqual(['DIGEST_MISMATCH'])
  })
})

describe('a document that was prepared before sealing', () => {
  // The widget of the seal will be object 6, its signature dictionary object 7.
  it.each([
    ['a field that shows the coming signature', '/AcroForm<</Fields[<</FT/Sig/T(a)/V 7 0 R>>]>>'],
    ['a field that hangs below the coming one', '/AcroForm<</Fields[<</FT/Sig/T(a)/Kids[6 0 R]>>]>>'],
  ])('with %s is still sealed once', async (_, catalog) => {
    expect(verifyPdf(await sealedFile(key, simplePdf({ catalog })), { trust: key.chain }).reasons).toEqual([])
  })

  it('with a signature that claims the byte range of the seal cannot replace it', async () => {
    const planted = (length: number) => {
      const value = `<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 100 200 ${String(length - 200).padStart(6, '0')}]/Contents<00>>>`
      return simplePdf({ catalog: `/AcroForm<</Fields[<</FT/Sig/T(a)/V${value}>>]>>` })
    }
    const { length } = await sealedFile(key, planted(200))
    const sealed = await sealedFile(key, planted(length))
    expect(sealed).toHaveLength(length)
    expect(reasonsOf(sealed)).toEqual([])
  })
})
