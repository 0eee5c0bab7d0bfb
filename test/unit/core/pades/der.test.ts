// The DER writer against known encodings, the reader against everything that is not DER.
import { fc } from '../../../support/builders/properties.ts'
import { describe, expect, it } from 'vitest'
import { contextTag, der, derOid, derSetOf, derSmallInteger, TAG } from '#core/pades/der.ts'
import { derChildren, DerError, openDer, readDer, readDerPrefix } from '#core/pades/read-der.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('writing DER', () => {
  it('encodes lengths minimally', () => {
    expect(der(TAG.octetString, Buffer.alloc(127)).subarray(0, 2)).toEqual(hex('04 7f'))
    expect(der(TAG.octetString, Buffer.alloc(128)).subarray(0, 3)).toEqual(hex('04 81 80'))
    expect(der(TAG.octetString, Buffer.alloc(256)).subarray(0, 4)).toEqual(hex('04 82 01 00'))
    expect(der(TAG.octetString, Buffer.alloc(65_536)).subarray(0, 5)).toEqual(hex('04 83 01 00 00'))
  })

  it('encodes object identifiers', () => {
    expect(derOid('1.2.840.113549.1.7.2')).toEqual(hex('06 09 2a 86 48 86 f7 0d 01 07 02'))
    expect(derOid('2.5.29.56')).toEqual(hex('06 03 55 1d 38'))
    expect(derOid('2.16.840.1.101.3.4.2.1')).toEqual(hex('06 09 60 86 48 01 65 03 04 02 01'))
  })

  it('sorts a SET OF and leaves a SEQUENCE in order', () => {
    const [one, two] = [derSmallInteger(1), derSmallInteger(2)]
    expect(derSetOf(TAG.set, [two, one])).toEqual(hex('31 06 020101 020102'))
    expect(der(TAG.sequence, two, one)).toEqual(hex('30 06 020102 020101'))
    expect(der(contextTag(0), one)).toEqual(hex('a0 03 020101'))
  })
})

describe('reading DER', () => {
  it('reads what was written, at any size', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }), (parts) => {
        const written = der(TAG.sequence, ...parts.map((part) => der(TAG.octetString, part)))
        const read = derChildren(readDer(written, TAG.sequence))
        expect(read.map(({ tag, body }) => ({ tag, body }))).toEqual(
          parts.map((part) => ({ tag: TAG.octetString, body: Buffer.from(part) })),
        )
      }),
    )
  })

  it('never accepts another encoding of the same value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let value
        try {
          value = readDer(Buffer.from(bytes), bytes[0] ?? 0)
        } catch (error) {
          expect(error).toBeInstanceOf(DerError)
          return
        }
        expect(der(value.tag, value.body)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it.each([
    ['an indefinite length', '30 80 00 00'],
    ['a length of one octet too many', '04 81 05 0102030405'],
    ['a length with a leading zero', `04 82 00 80 ${'00'.repeat(128)}`],
    ['a length that runs past the end', '04 05 01'],
    ['a length of five octets', '04 85 01 00 00 00 00'],
    ['a cut length', '04 82 01'],
    ['a missing length', '04'],
    ['nothing', ''],
    ['a tag of several octets', '1f 81 01 00'],
    ['another tag', '30 00'],
    ['bytes after the value', '04 01 00 00'],
  ])('refuses %s', (_, bytes) => {
    expect(() => readDer(hex(bytes), TAG.octetString)).toThrow(DerError)
  })

  it('walks a structure and refuses trailing values', () => {
    const cursor = openDer(readDer(hex('30 06 020101 020102'), TAG.sequence))
    expect(cursor.takeIf(TAG.oid)).toBeUndefined()
    expect(cursor.take(TAG.integer).body).toEqual(hex('01'))
    expect(() => cursor.end()).toThrow(DerError)
    expect(() => cursor.take(TAG.oid)).toThrow(DerError)
    expect(() => cursor.take(TAG.integer)).toThrow(DerError)
    expect(cursor.done).toBe(true)
  })

  it('reads a prefix without the bytes after it', () => {
    expect(readDerPrefix(hex('04 01 07 00 00')).raw).toEqual(hex('04 01 07'))
  })
})
