// What counts as intact and what does not: the bytes, the gap, the signature dictionary. Whole forgeries are in verify/attacks.test.ts.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { openP12 } from '#core/pades/open-p12.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { AUDIT_HEAD } from '../../../support/builders/audit-head.ts'
import { PdfBuilder, simplePdf } from '../../../support/builders/pdf-builder.ts'
import { PDF_FIXTURES, pdfFixture } from '../../../support/builders/pdf-fixtures.ts'
import { buildCms } from './cms-builder.ts'
import { ENTRIES, gapOf, ORIGINAL, SEALED_AT, sealedFile, signFile, unsignedFile } from './sealed-file.ts'

let key: SigningKey
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal, of the house', organisation: 'House', now: SEALED_AT })
})

function p12(name: string): SigningKey {
  return openP12(readFileSync(new URL(`p12/${name}.p12`, import.meta.url)), 'secret', SEALED_AT).key
}

function reasonsFor(entries: string, change: (bytes: Buffer) => Buffer = (bytes) => bytes): readonly string[] {
  const unsigned = unsignedFile(entries)
  const prepared = { ...unsigned, bytes: change(unsigned.bytes) }
  return verifyPdf(
    signFile(prepared, (digest) => buildCms(key, digest)),
    {},
  ).reasons
}

describe('a genuine seal', () => {
  it.each(['rsa-aes', 'p256-aes', 'p384-aes'])('by %s is valid', async (name) => {
    expect(verifyPdf(await sealedFile(p12(name)), {})).toMatchObject({ valid: true, reasons: [], trusted: null })
  })

  it.each(PDF_FIXTURES)('in %s is valid', async (name) => {
    const sealed = await sealedFile(key, readFileSync(pdfFixture(name)))
    expect(verifyPdf(sealed, { trust: key.chain })).toMatchObject({ valid: true, reasons: [], trusted: true })
  })

  it('has the sealer and the time', async () => {
    const sealed = await sealedFile(key)
    const { gapStart, gapEnd } = gapOf(sealed)
    const { signature, message } = verifyPdf(sealed, {})
    expect(signature).toEqual({
      signedAt: SEALED_AT,
      signerName: 'Seal, of the house',
      auditHead: AUDIT_HEAD,
      byteRange: [0, gapStart, gapEnd, sealed.length - gapEnd],
      certificate: {
        subject: 'O=House, CN=Seal\\, of the house',
        issuer: 'O=House, CN=Seal\\, of the house Root',
        serial: expect.stringMatching(/^[0-9a-f]{32}$/),
        notBefore: new Date('2027-01-02T02:04:05Z'),
        notAfter: new Date('2030-01-02T03:04:05Z'),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(message).toBe('The document is unchanged since it was sealed. The issuer of the seal certificate was not checked.')
  })

  it('is read in place: in a part of a larger buffer, and in shared memory', async () => {
    const sealed = await sealedFile(key)
    const shared = Buffer.from(new SharedArrayBuffer(sealed.length + 20), 13, sealed.length)
    sealed.copy(shared)
    expect(verifyPdf(shared, {}).valid).toBe(true)
    expect(verifyPdf(Buffer.concat([Buffer.alloc(7), sealed, Buffer.alloc(7)]).subarray(7, -7), {}).valid).toBe(true)
  })

  it('can be without a name', () => {
    expect(reasonsFor(ENTRIES.replace('/Name(Seal)', ''))).toEqual([])
  })

  it('can be a signature by the type of its field only', () => {
    expect(reasonsFor(ENTRIES.replace('/Type/Sig', ''))).toEqual([])
  })

  it('is valid although the document had duplicate objects before', async () => {
    const shadow = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R>>').object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')
    shadow.object(3, '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>').stream(4, '', '(Price: 100) Tj')
    const counted = new Map(shadow.entries)
    shadow.stream(4, '', '(Price: 999999) Tj')
    for (const [num, entry] of counted) shadow.entries.set(num, entry)
    const original = shadow.table('/Root 1 0 R').bytes()
    expect(verifyPdf(await sealedFile(key, original), {}).valid).toBe(true)
  })

  it('is valid in a document that was already signed, by others or by us', async () => {
    const twice = await sealedFile(key, await sealedFile(p12('rsa-aes')))
    const verdict = verifyPdf(twice, { trust: [key.certificate] })
    expect(verdict).toMatchObject({ valid: true, signature: { certificate: { subject: 'O=House, CN=Seal\\, of the house' } } })
  })
})

describe('a file without a seal', () => {
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'NOT_A_PDF'],
    ['text', Buffer.from('hello'), 'NOT_A_PDF'],
    ['an unsigned document', ORIGINAL, 'NO_SIGNATURE'],
    ['an empty signature field', readFileSync(pdfFixture('empty-signature-field.pdf')), 'NO_SIGNATURE'],
    ['a text field with a dictionary in it', simplePdf({ catalog: '/AcroForm<</Fields[<</FT/Tx/V<<>>>>]>>' }), 'NO_SIGNATURE'],
    ['an encrypted document', simplePdf({ trailer: '/Encrypt<</Filter/Standard>>' }), 'NOT_A_PDF'],
    ['the seal of another product', readFileSync(pdfFixture('certified-p2-pyhanko.pdf')), 'GAP_MISMATCH'],
  ])('such as %s is not valid', (_, bytes, reason) => {
    expect(verifyPdf(bytes, {})).toEqual({ valid: false, reasons: [reason], message: expect.any(String), trusted: null })
    expect(verifyPdf(bytes, { trust: [key.certificate] }).trusted).toBe(false)
  })
})

describe('the signature dictionary', () => {
  it.each([
    ['of another kind', ENTRIES.replace('ETSI.CAdES.detached', 'adbe.pkcs7.detached'), 'SIGNATURE_KIND_UNSUPPORTED'],
    ['without a kind', ENTRIES.replace('/SubFilter/ETSI.CAdES.detached', ''), 'SIGNATURE_KIND_UNSUPPORTED'],
    ['of a time stamp', ENTRIES.replace('/Type/Sig', '/Type/DocTimeStamp'), 'SIGNATURE_KIND_UNSUPPORTED'],
    ['that says two things', `${ENTRIES}/SubFilter/adbe.pkcs7.detached`, 'SIGNATURE_AMBIGUOUS'],
    ['with two contents', `${ENTRIES}/Contents<00>`, 'SIGNATURE_AMBIGUOUS'],
    ['without a time', ENTRIES.replace(/\/M\([^)]*\)/, ''), 'SIGNING_TIME_MISSING'],
    ['with a time that is none', ENTRIES.replace('D:20270102030405Z', 'yesterday'), 'SIGNING_TIME_MISSING'],
  ])('%s is refused, though its signature is right', (_, entries, reason) => {
    expect(reasonsFor(entries)).toEqual([reason])
  })

  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ['before its signature', (bytes) => replaced(bytes, /\/ByteRange\[0 /, '/ByteRange[1 '), 'COVERAGE_INCOMPLETE'],
    ['after the first byte', (bytes) => replaced(bytes, /\/ByteRange\[0 /, '/ByteRange[5 '), 'COVERAGE_INCOMPLETE'],
    ['of three numbers', (bytes) => replaced(bytes, /(\/ByteRange\[0 \d+ \d+ )\d+/, '$1'), 'COVERAGE_INCOMPLETE'],
    ['of five numbers', (bytes) => replaced(bytes, /(\/ByteRange\[0 \d+ \d+ \d+)  /, '$1 0'), 'COVERAGE_INCOMPLETE'],
    ['of texts', (bytes) => replaced(bytes, /\/ByteRange\[0 \d+/, '/ByteRange[0 (a)'), 'COVERAGE_INCOMPLETE'],
    [
      'that overlaps',
      (bytes) => replaced(bytes, /\/ByteRange\[0 \d+ \d+ \d+/, `/ByteRange[0 999 0 ${bytes.length}`),
      'COVERAGE_INCOMPLETE',
    ],
    ['under another name', (bytes) => replaced(bytes, /\/ByteRange\[/, '/BiteRange['), 'COVERAGE_INCOMPLETE'],
  ])('with a byte range %s is refused, though its signature is right', (_, change, reason) => {
    expect(reasonsFor(ENTRIES, change)).toEqual([reason])
  })
})

describe('the gap', () => {
  it.each<[string, (text: string) => string, string]>([
    ['with a padding of other digits', (hex) => `${hex.slice(0, -2)}01`, 'PADDING_NOT_ZERO'],
    ['with a padding of spaces', (hex) => `${hex.slice(0, -2)}  `, 'GAP_MISMATCH'],
    ['with a digit in upper case', (hex) => hex.replace(/[a-f]/, (digit) => digit.toUpperCase()), 'GAP_MISMATCH'],
    ['with a space between digits', (hex) => `${hex.slice(0, 20)} ${hex.slice(20, -1)}`, 'GAP_MISMATCH'],
    ['that closes early', (hex) => `${hex.slice(0, -12)}>/Other<00`, 'GAP_MISMATCH'],
    ['with nothing in it', (hex) => '0'.repeat(hex.length), 'CMS_MALFORMED'],
    ['with a length that is not minimal', (hex) => `308300${hex.slice(4, -2)}`, 'CMS_MALFORMED'],
    ['with a length that leads out of it', (hex) => `3082ffff${hex.slice(8)}`, 'CMS_MALFORMED'],
  ])('%s is refused', (_, change, reason) => {
    const sealed = signFile(unsignedFile(), (digest) => buildCms(key, digest))
    const { gapStart, gapEnd } = gapOf(sealed)
    const changed = change(sealed.toString('latin1', gapStart + 1, gapEnd - 1))
    sealed.write(changed.padEnd(gapEnd - gapStart - 2), gapStart + 1, 'latin1')
    expect(verifyPdf(sealed, {}).reasons).toEqual([reason])
  })

  it('larger than any signature is refused before it is decoded', () => {
    const sealed = signFile(unsignedFile(ENTRIES, { contentsBytes: 300_000 }), (digest) => buildCms(key, digest))
    expect(verifyPdf(sealed, {}).reasons).toEqual(['GAP_MISMATCH'])
  })
})

describe('contents outside the gap', () => {
  // Large enough that file and decoded stream have separate memory, in which equal positions mean equal offsets.
  const SIZE = 40_000
  const ZEROS = `<${'0'.repeat(SIZE)}>`

  it('in the same dictionary are refused, although the gap has a valid signature', () => {
    const { bytes } = unsignedFile(`${ENTRIES}/Decoy${ZEROS}`, { contentsBytes: SIZE / 2 })
    const gapStart = bytes.indexOf(ZEROS)
    const gapEnd = gapStart + ZEROS.length
    const moved = replaced(bytes, /\/ByteRange\[[^\]]*\]/, `/ByteRange[0 ${gapStart} ${gapEnd} ${bytes.length - gapEnd}`)
    const sealed = signFile({ bytes: moved, gapStart, gapEnd }, (digest) => buildCms(key, digest))
    expect(verifyPdf(sealed, {}).reasons).toEqual(['GAP_MISMATCH'])
  })

  it('in an object stream are refused, although their offset there is that of the gap', () => {
    const { bytes, gapStart, gapEnd } = hiddenDictionary(hiddenDictionary(0).bytes.length)
    const sealed = signFile({ bytes, gapStart, gapEnd }, (digest) => buildCms(key, digest))
    expect(verifyPdf(sealed, {}).reasons).toEqual(['GAP_MISMATCH'])
  })

  /** The signature dictionary is in an object stream, so its /Contents cannot be the gap; `length` is that of the file. */
  function hiddenDictionary(length: number) {
    const builder = new PdfBuilder().object(1, '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[<</FT/Sig/T(a)/V 7 0 R>>]>>>>')
    builder
      .object(2, '<</Type/Pages/Kids[3 0 R]/Count 1>>')
      .object(3, '<</Type/Page/Parent 2 0 R>>')
      .object(4, `<</Decoy${ZEROS}>>`)
    const gapStart = builder.bytes().indexOf(ZEROS)
    const gapEnd = gapStart + ZEROS.length
    const behind = String(Math.max(0, length - gapEnd)).padStart(9, '0')
    const range = `/ByteRange[0 ${gapStart} ${gapEnd} ${behind}]`
    const dictionary = `7 0\n<<${ENTRIES}${range}/Contents`
    const data = Buffer.from(`${dictionary.padEnd(gapStart)}${ZEROS}>>`)
    builder.stream(8, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode', deflateSync(data, { level: 0 }))
    builder.entries.set(7, { type: 'member', stream: 8, index: 0 })
    return { bytes: builder.xrefStream(9, '/Root 1 0 R').bytes(), gapStart, gapEnd }
  }
})

/** Replaces the last match by text of the same length: padded with spaces, an array's bracket stays in place. */
function replaced(bytes: Buffer, pattern: RegExp, by: string): Buffer {
  const text = bytes.toString('latin1')
  const match = [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)!
  const now = match[0].replace(pattern, by)
  const end = match[0].endsWith(']') ? ']' : ''
  const filled = now.padEnd(match[0].length - end.length) + end
  expect(now === match[0]).toBe(false)
  return Buffer.from(text.slice(0, match.index) + filled + text.slice(match.index + match[0].length), 'latin1')
}
