import { originalKey, sealedFileName, sealedKey } from '#core/envelope/document/rules.ts'
import { DocumentId, newId, OrgId } from '#core/ids.ts'
import { describe, expect, test } from 'vitest'

const ORG = OrgId.parse('6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00')
const DOCUMENT = DocumentId.parse('0a9b8c7d-6e5f-4a3b-8c1d-0e9f8a7b6c5d')

describe('the key of', () => {
  test('an original is under its organisation and names the document', () => {
    expect(originalKey(ORG, DOCUMENT)).toBe(`organisations/${ORG}/originals/${DOCUMENT}.pdf`)
  })

  test('a sealed copy is under its organisation and names the bytes', () => {
    expect(sealedKey(ORG, Buffer.alloc(32, 0xa5))).toBe(`organisations/${ORG}/sealed/${'a5'.repeat(32)}.pdf`)
  })

  test('one organisation never equals that of another', () => {
    const other = newId(OrgId)
    expect(originalKey(other, DOCUMENT)).not.toBe(originalKey(ORG, DOCUMENT))
    expect(sealedKey(other, Buffer.alloc(32))).not.toBe(sealedKey(ORG, Buffer.alloc(32)))
  })
})

describe('the name of a sealed copy', () => {
  test.each([
    ['Lease.pdf', 'Lease-signed.pdf'],
    ['LEASE.PDF', 'LEASE-signed.pdf'],
    ['Lease', 'Lease-signed.pdf'],
    ['Lease.pdf.pdf', 'Lease.pdf-signed.pdf'],
    ['a.pdf.txt', 'a.pdf.txt-signed.pdf'],
    ['leasepdf', 'leasepdf-signed.pdf'],
    ['契約書.pdf', '契約書-signed.pdf'],
    ['.pdf', '-signed.pdf'],
  ])('of %s is %s', (name, sealed) => {
    expect(sealedFileName(name)).toBe(sealed)
  })
})
