// The accepted forms of a seal's CMS. Each invalid one has a correct signature over its own attributes.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { contextTag, der, derOid, TAG } from '#core/pades/der.ts'
import { OID } from '#core/pades/oid.ts'
import { readDerPrefix } from '#core/pades/read-der.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { type Issued, newCertificate } from '../certificate-builder.ts'
import {
  attribute,
  attributesOf,
  buildCms,
  type CmsParts,
  digestAlgorithm,
  essCertificate,
  identifierOf,
  NULL,
  signingCertificate,
} from '../cms-builder.ts'
import { signFile, unsignedFile } from '../sealed-file.ts'

let root: Issued
let key: Issued
let rsa: Issued
beforeAll(async () => {
  root = await newCertificate({ name: 'Root', issuingDepth: null })
  key = await newCertificate({ name: 'Seal', issuer: root })
  rsa = await newCertificate({ name: 'RSA seal', issuer: root, keys: 'RSA-2048' })
})

type Change = (digest: Buffer) => Partial<CmsParts>
const UNSIGNED = unsignedFile()

function reasonsFor(change: Change, signer = key, hash?: 'sha1' | 'sha384' | 'sha512'): readonly string[] {
  return verifyPdf(
    signFile(UNSIGNED, (digest) => buildCms(signer, digest, change(digest)), hash),
    {},
  ).reasons
}

/** The three attributes in order, with some replaced. */
function attributes(digest: Buffer, changes: Partial<Record<keyof ReturnType<typeof attributesOf>, Buffer>>) {
  return { attributes: Object.values({ ...attributesOf(key, digest), ...changes }) }
}

describe('the CMS of a seal', () => {
  it.each(['sha256', 'sha384', 'sha512'] as const)('over %s is accepted', (hash) => {
    const sealed = (signer: Issued) => signFile(UNSIGNED, (digest) => buildCms(signer, digest, { hash }), hash)
    expect(verifyPdf(sealed(key), {}).reasons).toEqual([])
    expect(verifyPdf(sealed(rsa), {}).reasons).toEqual([])
  })

  it.each<[string, Change]>([
    ['with NULL beside the digest', () => ({ signerDigestAlgorithm: withNull(), digestAlgorithms: [withNull()] })],
    [
      'without issuer and serial beside the hash',
      (digest) => attributes(digest, { signingCertificate: signingCertificate(essCertificate(key.certificate, 'sha256', null)) }),
    ],
    [
      'that names its certificate by SHA-384',
      (digest) => attributes(digest, { signingCertificate: signingCertificate(essCertificate(key.certificate, 'sha384')) }),
    ],
    ['with the certificate of the signer alone', () => ({ certificates: [key.certificate] })],
  ])('%s is accepted', (_, change) => {
    expect(reasonsFor(change)).toEqual([])
  })

  it('by RSA with a combined RSA and digest identifier is accepted', () => {
    expect(reasonsFor(() => ({ signatureAlgorithm: der(TAG.sequence, derOid('1.2.840.113549.1.1.11'), NULL) }), rsa)).toEqual([])
  })
})

describe('a CMS', () => {
  it.each<[string, Change, string]>([
    ['of another version', () => ({ version: 3 }), 'CMS_MALFORMED'],
    ['with a signer of another version', () => ({ signerVersion: 3 }), 'CMS_MALFORMED'],
    ['without a signer', () => ({ signers: 0 }), 'CMS_MALFORMED'],
    ['with two signers', () => ({ signers: 2 }), 'CMS_MALFORMED'],
    ['with its content inside', () => ({ content: content(OID.data, der(TAG.octetString, Buffer.from('x'))) }), 'CMS_MALFORMED'],
    ['over another kind of content', () => ({ content: content(OID.signedData) }), 'CMS_MALFORMED'],
    ['with revocation lists', () => ({ behindCertificates: der(contextTag(1)) }), 'CMS_MALFORMED'],
    ['with unsigned attributes', () => ({ behindSignature: der(contextTag(1), attribute('1.2.3', NULL)) }), 'CMS_MALFORMED'],
    ['with something after its signers', () => ({ afterSigners: NULL }), 'CMS_MALFORMED'],
    [
      'that names its signer by more than issuer and serial',
      () => ({ identifier: longer(identifierOf(key.certificate)) }),
      'CMS_MALFORMED',
    ],
    ['with two digests', () => ({ digestAlgorithms: [digestAlgorithm('sha256'), digestAlgorithm('sha384')] }), 'CMS_MALFORMED'],
    ['with another digest than its signer', () => ({ digestAlgorithms: [digestAlgorithm('sha384')] }), 'CMS_MALFORMED'],
    [
      'with a digest of unknown parameters',
      () => ({ digestAlgorithms: [odd()], signerDigestAlgorithm: odd() }),
      'ALGORITHM_UNSUPPORTED',
    ],
    [
      'with another digest than its signature',
      () => ({ signatureAlgorithm: der(TAG.sequence, derOid('1.2.840.10045.4.3.3')) }),
      'CMS_MALFORMED',
    ],
    [
      'with parameters beside ECDSA',
      () => ({ signatureAlgorithm: der(TAG.sequence, derOid(OID.ecdsaWithSha256), NULL) }),
      'ALGORITHM_UNSUPPORTED',
    ],
    [
      'that calls its ECDSA signature RSA',
      () => ({ signatureAlgorithm: der(TAG.sequence, derOid(OID.rsaEncryption), NULL) }),
      'ALGORITHM_UNSUPPORTED',
    ],
    ['with a signature of other bytes', () => ({ signed: Buffer.from('other') }), 'SIGNATURE_INVALID'],
    [
      'with a signature over the attributes as they are stored',
      (digest) => ({ signed: der(contextTag(0), ...Object.values(attributesOf(key, digest)).toSorted(byBytes)) }),
      'SIGNATURE_INVALID',
    ],
    ['with an empty signature', () => ({ signature: Buffer.alloc(0) }), 'SIGNATURE_INVALID'],
    [
      'with a signature of zeros',
      () => ({ signature: der(TAG.sequence, der(TAG.integer, Buffer.alloc(1)), der(TAG.integer, Buffer.alloc(1))) }),
      'SIGNATURE_INVALID',
    ],
  ])('%s is refused', (_, change, reason) => {
    expect(reasonsFor(change)).toEqual([reason])
  })

  it('over SHA-1 is refused', () => {
    expect(reasonsFor(() => ({ hash: 'sha1' }), rsa, 'sha1')).toEqual(['ALGORITHM_UNSUPPORTED'])
    expect(reasonsFor(() => ({ hash: 'sha1' }), key, 'sha1')).toEqual(['ALGORITHM_UNSUPPORTED'])
  })

  it.each(['RSA-1024', 'P-521', 'Ed25519'] as const)('by a key of %s is refused', async (keys) => {
    const weak = await newCertificate({ name: 'Weak', keys })
    expect(reasonsFor(() => ({ signature: Buffer.alloc(64) }), weak)).toEqual(['ALGORITHM_UNSUPPORTED'])
  })

  it.each<[string, (cms: Buffer) => Buffer]>([
    ['that is not a ContentInfo', () => der(TAG.sequence, derOid(OID.data))],
    [
      'of another content type',
      (cms) =>
        Buffer.from(
          cms.toString('hex').replace(derOid(OID.signedData).toString('hex'), derOid('1.2.840.113549.1.7.3').toString('hex')),
          'hex',
        ),
    ],
    ['of indefinite length', (cms) => Buffer.concat([Buffer.from('3080', 'hex'), cms.subarray(4), Buffer.alloc(2)])],
    ['with a value after its content', (cms) => der(TAG.sequence, cms.subarray(4), NULL)],
    ['with a wide tag', (cms) => Buffer.concat([Buffer.from('3f', 'hex'), cms])],
  ])('%s is refused', (_, change) => {
    const sealed = signFile(UNSIGNED, (digest) => change(buildCms(key, digest)))
    expect(verifyPdf(sealed, {}).reasons).toEqual(['CMS_MALFORMED'])
  })

  it('with trailing bytes is refused', () => {
    const sealed = signFile(UNSIGNED, (digest) => Buffer.concat([buildCms(key, digest), NULL]))
    expect(verifyPdf(sealed, {}).reasons).toEqual(['PADDING_NOT_ZERO'])
  })

  it('copied from another document is refused', () => {
    const digest = createHash('sha256').update('another document').digest()
    expect(
      verifyPdf(
        signFile(UNSIGNED, () => buildCms(key, digest)),
        {},
      ).reasons,
    ).toEqual(['DIGEST_MISMATCH'])
  })
})

describe('signed attributes', () => {
  const other = createHash('sha256').update('another document').digest()

  it.each<[string, Change, string]>([
    [
      'out of order',
      (digest) => ({
        attributes: Object.values(attributesOf(key, digest)).toSorted(byBytes).toReversed(),
        orderedAttributes: false,
      }),
      'CMS_MALFORMED',
    ],
    [
      'with the digest twice',
      (digest) => ({ attributes: [...Object.values(attributesOf(key, digest)), attributesOf(key, other).messageDigest] }),
      'CMS_MALFORMED',
    ],
    [
      'with two digests in one',
      (digest) =>
        attributes(digest, {
          messageDigest: attribute(OID.messageDigest, der(TAG.octetString, digest), der(TAG.octetString, other)),
        }),
      'CMS_MALFORMED',
    ],
    ['with no value', (digest) => attributes(digest, { messageDigest: attribute(OID.messageDigest) }), 'CMS_MALFORMED'],
    ['without a digest', (digest) => without(digest, 'messageDigest'), 'CMS_MALFORMED'],
    ['without a content type', (digest) => without(digest, 'contentType'), 'CMS_MALFORMED'],
    ['without signing-certificate-v2', (digest) => without(digest, 'signingCertificate'), 'CMS_MALFORMED'],
    [
      'with another attribute in place of signing-certificate-v2',
      (digest) => attributes(digest, { signingCertificate: attribute('1.2.3', NULL) }),
      'CMS_MALFORMED',
    ],
    [
      'with signing-certificate of version 1',
      (digest) => attributes(digest, { signingCertificate: attribute('1.2.840.113549.1.9.16.2.12', NULL) }),
      'CMS_MALFORMED',
    ],
    [
      'with another content type',
      (digest) => attributes(digest, { contentType: attribute(OID.contentType, derOid(OID.signedData)) }),
      'CMS_MALFORMED',
    ],
    [
      'with a signing time',
      (digest) => ({
        attributes: [
          ...Object.values(attributesOf(key, digest)),
          attribute('1.2.840.113549.1.9.5', der(0x17, Buffer.from('270102030405Z'))),
        ],
      }),
      'CMS_MALFORMED',
    ],
    [
      'with something unknown',
      (digest) => ({ attributes: [...Object.values(attributesOf(key, digest)), attribute('1.2.3', NULL)] }),
      'CMS_MALFORMED',
    ],
    [
      'with a short digest',
      (digest) => attributes(digest, { messageDigest: attribute(OID.messageDigest, der(TAG.octetString, digest.subarray(1))) }),
      'DIGEST_MISMATCH',
    ],
    ['with the digest of another document', () => attributes(other, {}), 'DIGEST_MISMATCH'],
    [
      'that are not sequences',
      (digest) => attributes(digest, { contentType: asSet(attributesOf(key, digest).contentType) }),
      'CMS_MALFORMED',
    ],
    [
      'that are longer than type and values',
      (digest) => attributes(digest, { contentType: longer(attributesOf(key, digest).contentType) }),
      'CMS_MALFORMED',
    ],
  ])('%s are refused', (_, change, reason) => {
    expect(reasonsFor(change)).toEqual([reason])
  })

  function without(digest: Buffer, name: keyof ReturnType<typeof attributesOf>): Partial<CmsParts> {
    const { [name]: _, ...rest } = attributesOf(key, digest)
    return { attributes: Object.values(rest) }
  }
})

function content(oid: string, ...inside: Buffer[]): Buffer {
  return der(TAG.sequence, derOid(oid), ...inside.map((value) => der(contextTag(0), value)))
}

/** The same value with NULL after its contents. */
function longer(value: Buffer): Buffer {
  const { tag, body } = readDerPrefix(value)
  return der(tag, body, NULL)
}

function asSet(value: Buffer): Buffer {
  return der(TAG.set, readDerPrefix(value).body)
}

function withNull(): Buffer {
  return der(TAG.sequence, derOid(OID.sha256), NULL)
}

function odd(): Buffer {
  return der(TAG.sequence, derOid(OID.sha256), der(TAG.integer, Buffer.from([1])))
}

function byBytes(one: Buffer, other: Buffer): number {
  return Buffer.compare(one, other)
}
