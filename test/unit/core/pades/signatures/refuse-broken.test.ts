// Which signed uploads are refused. What may follow a signature is in later-changes.test.ts; here is whether its own bytes are intact.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { der, derOid, TAG } from '#core/pades/der.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { refuseBrokenSignatures } from '#core/pades/signatures/refuse-broken.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { fieldCase, pdfFixture } from '../../../../support/builders/pdf-fixtures.ts'
import { refusalOf } from '../../../../support/judges/open-pdf.ts'
import { buildCms, type CmsParts } from '../cms-builder.ts'
import {
  overlayAnnotation,
  overwrite,
  saveIncrementally,
  saveWithCopiedSignature,
  saveWithWiderRange,
  wrapSignature,
} from '../forgeries.ts'
import { ENTRIES, gapOf, ORIGINAL, SEALED_AT, sealedFile, signFile, unsignedFile } from '../sealed-file.ts'
import { toBer } from './to-ber.ts'

let key: SigningKey
let genuine: Buffer
beforeAll(async () => {
  key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now: SEALED_AT })
  genuine = await sealedFile(key)
})

function p12(name: string): SigningKey {
  return openP12(readFileSync(new URL(`../p12/${name}.p12`, import.meta.url)), 'secret', SEALED_AT).key
}

function refusal(bytes: Buffer): string {
  return refusalOf(() => refuseBrokenSignatures(bufferSource(bytes)))
}

function signedBy(cms: (digest: Buffer) => Buffer, entries = ENTRIES, original = ORIGINAL): Buffer {
  return signFile(unsignedFile(entries, { original }), cms)
}

const DETACHED = ENTRIES.replace('ETSI.CAdES.detached', 'adbe.pkcs7.detached')
const TIME_STAMP = ENTRIES.replace('/Type/Sig', '/Type/DocTimeStamp').replace('ETSI.CAdES.detached', 'ETSI.RFC3161')

describe('a signed upload is accepted', () => {
  it.each(['signed-pyhanko.pdf', 'certified-p2-pyhanko.pdf', 'reportlab.pdf'])('such as %s', (name) => {
    expect(refusal(readFileSync(pdfFixture(name)))).toBe('accepted')
  })

  it('by Ed448 with SHAKE256', () => {
    const bytes = readFileSync(fieldCase('f06-ed448'))
    expect(refusal(bytes)).toBe('accepted')
    expect(refusal(overwrite(bytes, /40 EUR/, '90 EUR'))).toContain('the signed bytes were changed')
  })

  it.each(['rsa-aes', 'p256-aes', 'p384-aes'])('sealed here by %s, also a second and a third time', async (name) => {
    const sealed = await sealedFile(p12(name))
    const twice = await sealedFile(key, sealed)
    expect([sealed, twice, await sealedFile(key, twice)].map(refusal)).toEqual(['accepted', 'accepted', 'accepted'])
  })

  it.each<[string, () => Buffer]>([
    ['of the older kind', () => signedBy((digest) => buildCms(key, digest), DETACHED)],
    ['in BER', () => signedBy((digest) => toBer(buildCms(key, digest)))],
    ['over SHA-512', () => signFile(unsignedFile(), (digest) => buildCms(key, digest, { hash: 'sha512' }), 'sha512')],
    ['of several attributes', () => signedBy((digest) => buildCms(key, digest, { version: 3 }))],
    ['of a time stamp', () => stamped()],
  ])('with a signature %s', (_, file) => {
    expect(refusal(file())).toBe('accepted')
  })
})

describe('a signed upload is refused', () => {
  it.each<[string, () => Buffer, RegExp]>([
    [
      'changed within',
      () => overwrite(genuine, /Price: 100/, 'Price: 900'),
      /^DOCUMENT_SIGNATURE_BROKEN: The signature of O=House, CN=Seal in the document is broken: the signed bytes were changed/,
    ],
    [
      'saved with other content',
      () => saveIncrementally(genuine),
      /does not permit what was changed after it: a part of its content/,
    ],
    ['saved with a copied signature', () => saveWithCopiedSignature(genuine), /a part of its content \(object 4\) was changed/],
    ['with a widened range', () => saveWithWiderRange(genuine), /the signed bytes were changed/],
    ['wrapped', () => wrapSignature(genuine), /does not cover the document/],
    ['with an annotation', () => overlayAnnotation(genuine), /an annotation was added/],
    ['changed, then sealed again', () => genuine, /a part of its content/],
    [
      'with an empty range',
      () => overwrite(genuine, /\/ByteRange\[[^\]]*\]/, '/ByteRange[0 0 0 0]'),
      /does not cover the document/,
    ],
    ['without contents', () => overwrite(genuine, /\/Contents <[0-9a-f]+>/, '/Contents <00>'), /does not cover the document/],
    ['shifted', () => Buffer.concat([Buffer.from('%junk\n'), genuine]), /./],
  ])('%s', async (name, file, reason) => {
    const bytes = name.includes('sealed again') ? await sealedFile(key, saveIncrementally(file())) : file()
    expect(refusal(bytes)).toMatch(reason)
  })

  it.each<[string, Partial<CmsParts> | ((digest: Buffer) => Partial<CmsParts>), string, RegExp]>([
    ['over another document', () => ({ attributes: attributesFor(Buffer.alloc(32)) }), ENTRIES, /the signed bytes were changed/],
    [
      'by another key',
      { signature: Buffer.alloc(256, 7) },
      ENTRIES,
      /it was not made with the key of its certificate|it is damaged/,
    ],
    ['without its certificate', { certificates: [] }, ENTRIES, /its certificate is missing/],
    ['by two signers', { signers: 2 }, ENTRIES, /it is damaged/],
    ['by an unknown algorithm', { signatureAlgorithm: der(TAG.sequence, derOid('1.2.3.4')) }, ENTRIES, /cannot be checked here/],
    [
      'over an unknown digest',
      { signerDigestAlgorithm: der(TAG.sequence, derOid('1.2.840.113549.2.5')) },
      ENTRIES,
      /cannot be checked here/,
    ],
    [
      'of an unknown kind',
      {},
      ENTRIES.replace('ETSI.CAdES.detached', 'adbe.x509.rsa_sha1'),
      /of a kind that cannot be checked here/,
    ],
    ['of a time stamp without content', {}, TIME_STAMP, /it is damaged/],
  ])('with a signature %s', (_, changes, entries, reason) => {
    const file = signedBy((digest) => buildCms(key, digest, typeof changes === 'function' ? changes(digest) : changes), entries)
    expect(refusal(file)).toMatch(reason)
  })

  it('with a time stamp of another document', () => {
    expect(refusal(stamped(Buffer.alloc(32)))).toMatch(/the signed bytes were changed/)
  })

  it('with a time stamp that does not sign its own content', () => {
    expect(refusal(stamped(undefined, '20270101000000Z'))).toMatch(/the signed bytes were changed/)
  })

  it('and the message says what to do', () => {
    expect(refusal(saveIncrementally(genuine))).toMatch(/Upload the file as it was signed, or one without signatures$/)
    expect(gapOf(genuine).gapEnd).toBeGreaterThan(0)
  })
})

function attributesFor(digest: Buffer): Buffer[] {
  const attribute = (type: string, value: Buffer) => der(TAG.sequence, derOid(type), der(TAG.set, value))
  return [
    attribute('1.2.840.113549.1.9.3', derOid('1.2.840.113549.1.7.1')),
    attribute('1.2.840.113549.1.9.4', der(TAG.octetString, digest)),
  ]
}

/** A document with a time stamp of these bytes, or of its own; `time` replaces the signed time. */
function stamped(imprint?: Buffer, time?: string): Buffer {
  return signedBy((digest) => {
    const info = (when: string): Buffer =>
      der(
        TAG.sequence,
        der(TAG.integer, Buffer.from([1])),
        derOid('1.2.3'),
        der(TAG.sequence, der(TAG.sequence, derOid('2.16.840.1.101.3.4.2.1')), der(TAG.octetString, imprint ?? digest)),
        der(TAG.integer, Buffer.from([1])),
        der(0x18, Buffer.from(when)),
      )
    const signed = info('20270102030405Z')
    const content = time === undefined ? signed : info(time)
    const type = derOid('1.2.840.113549.1.9.16.1.4')
    return buildCms(key, createHash('sha256').update(signed).digest(), {
      content: der(TAG.sequence, type, der(0xa0, der(TAG.octetString, content))),
    })
  }, TIME_STAMP)
}
