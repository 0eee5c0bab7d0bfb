// The certificates of a seal: the signer's, identified by the signed attributes, and only the chain above it.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { contextTag, der, TAG } from '#core/pades/der.ts'
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
let stranger: Issued
beforeAll(async () => {
  root = await newCertificate({ name: 'Root', issuingDepth: null })
  key = await newCertificate({ name: 'Seal', issuer: root })
  stranger = await newCertificate({ name: 'Stranger' })
})

const UNSIGNED = unsignedFile()

function reasonsFor(change: (digest: Buffer) => Partial<CmsParts>, signer = key): readonly string[] {
  return verifyPdf(
    signFile(UNSIGNED, (digest) => buildCms(signer, digest, change(digest))),
    {},
  ).reasons
}

/** The attributes of a seal with a signing-certificate-v2 that contains these certificates. */
function naming(digest: Buffer, ...certificates: Buffer[]): Partial<CmsParts> {
  return withAttribute(digest, signingCertificate(...certificates))
}

function withAttribute(digest: Buffer, attribute: Buffer): Partial<CmsParts> {
  return { attributes: Object.values({ ...attributesOf(key, digest), signingCertificate: attribute }) }
}

describe('the certificate of the signer', () => {
  const certificates = () => [key.certificate, root.certificate]

  it.each<[string, (digest: Buffer) => Partial<CmsParts>, string]>([
    ['is missing', () => ({ certificates: [root.certificate] }), 'CERTIFICATE_MISMATCH'],
    ['is none at all', () => ({ certificates: [] }), 'CERTIFICATE_MISMATCH'],
    ['is named as another', () => ({ identifier: identifierOf(root.certificate) }), 'CERTIFICATE_MISMATCH'],
    [
      'has another hash',
      (digest) => naming(digest, essCertificate(stranger.certificate, 'sha256', key.certificate)),
      'CERTIFICATE_MISMATCH',
    ],
    [
      'has another issuer',
      (digest) => naming(digest, essCertificate(key.certificate, 'sha256', stranger.certificate)),
      'CERTIFICATE_MISMATCH',
    ],
    [
      'is one of two that are named',
      (digest) => naming(digest, essCertificate(key.certificate), essCertificate(root.certificate)),
      'SIGNATURE_REWRITTEN',
    ],
    ['is not named', (digest) => naming(digest), 'CMS_MALFORMED'],
    ['is named by SHA-1', (digest) => naming(digest, essCertificate(key.certificate, 'sha1')), 'ALGORITHM_UNSUPPORTED'],
    ['is named by SHA-256 in many words', (digest) => naming(digest, withDefaultWrittenOut(key.certificate)), 'CMS_MALFORMED'],
    [
      'is named by more than hash, issuer and serial',
      (digest) => naming(digest, der(TAG.sequence, readDerPrefix(essCertificate(key.certificate)).body, NULL)),
      'CMS_MALFORMED',
    ],
    ['comes with policies', (digest) => withAttribute(digest, withPolicies(key.certificate)), 'CMS_MALFORMED'],
    ['comes with a stranger', () => ({ certificates: [...certificates(), stranger.certificate] }), 'CERTIFICATE_MISMATCH'],
    ['comes twice', () => ({ certificates: [...certificates(), key.certificate] }), 'CMS_MALFORMED'],
    [
      'comes with others out of order',
      () => ({ certificates: descending(certificates()), orderedCertificates: false }),
      'CMS_MALFORMED',
    ],
    ['comes with something else', () => ({ certificates: [...certificates(), der(contextTag(1))] }), 'CMS_MALFORMED'],
    [
      'comes with something other than a certificate',
      () => ({ certificates: [...certificates(), der(TAG.sequence)] }),
      'CMS_MALFORMED',
    ],
    ['comes with trailing bytes', () => ({ certificates: [Buffer.concat([key.certificate, NULL])] }), 'CMS_MALFORMED'],
  ])('%s: refused', (_, change, reason) => {
    expect(reasonsFor(change)).toEqual([reason])
  })

  it('comes with at most nine others', async () => {
    let issuer = root
    for (let height = 1; height < 9; height++)
      issuer = await newCertificate({ name: `Issuer ${height}`, issuer, issuingDepth: null })
    const tenth = await newCertificate({ name: 'Seal', issuer })
    const eleventh = await newCertificate({
      name: 'Seal',
      issuer: await newCertificate({ name: 'Last', issuer, issuingDepth: null }),
    })
    expect(reasonsFor(() => ({}), tenth)).toEqual([])
    expect(reasonsFor(() => ({}), eleventh)).toEqual(['CMS_MALFORMED'])
  })

  it.each([
    ['that names the key of no issuer', false],
    ['that names its own key as that of its issuer', true],
  ])('comes with a root %s, its issuer changed to seem another: refused', async (_, withIssuerKey) => {
    const anchor = await newCertificate({ name: 'Root', issuingDepth: null, keyIdentifiers: withIssuerKey ? 'both' : 'own' })
    const signer = await newCertificate({ name: 'Seal', issuer: anchor })
    const changed = Buffer.from(anchor.certificate)
    changed.write('Toor', changed.indexOf('Root'))
    expect(reasonsFor(() => ({}), signer)).toEqual([])
    expect(reasonsFor(() => ({ certificates: [signer.certificate, changed] }), signer)).toEqual(['CERTIFICATE_MISMATCH'])
  })

  it('comes alone without the key identifier of its issuer: accepted, because its hash identifies it', async () => {
    const signer = await newCertificate({ name: 'Seal', issuer: root, keyIdentifiers: 'own' })
    expect(reasonsFor(() => ({ certificates: [signer.certificate] }), signer)).toEqual([])
  })

  it('comes with an issuer but without its root: accepted', async () => {
    const issuing = await newCertificate({ name: 'Issuing', issuer: root, issuingDepth: 0, keyIdentifiers: 'both' })
    const signer = await newCertificate({ name: 'Seal', issuer: issuing })
    expect(reasonsFor(() => ({ certificates: [signer.certificate, issuing.certificate] }), signer)).toEqual([])
  })

  it('comes with a root that is not self-signed: refused', () => {
    const damaged = Buffer.from(root.certificate)
    damaged[damaged.length - 1]! ^= 1
    expect(reasonsFor(() => ({ certificates: [key.certificate, damaged] }))).toEqual(['CERTIFICATE_MISMATCH'])
  })
})

function descending(values: readonly Buffer[]): Buffer[] {
  return values.toSorted((one, other) => Buffer.compare(other, one))
}

function withPolicies(certificate: Buffer): Buffer {
  const value = der(TAG.sequence, der(TAG.sequence, essCertificate(certificate)), der(TAG.sequence))
  return attribute(OID.signingCertificateV2, value)
}

/** Writes out the default hash algorithm. */
function withDefaultWrittenOut(certificate: Buffer): Buffer {
  const hash = createHash('sha256').update(certificate).digest()
  return der(TAG.sequence, digestAlgorithm('sha256'), der(TAG.octetString, hash))
}
