// The CMS in the signature gap: its attributes, their order, its size. test/interop checks it with third-party tools.
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Signer } from '@signpdf/utils'
import { describe, expect, it } from 'vitest'
import { CadesSigner } from '#core/pades/cades-signer.ts'
import { contextTag, der, derOid, TAG } from '#core/pades/der.ts'
import { OID } from '#core/pades/oid.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { derChildren, openDer, readDer } from '#core/pades/read-der.ts'

const NOW = new Date('2027-01-01T00:00:00Z')
const DIGEST = createHash('sha256').update('document').digest()

function keyOf(name: string) {
  return openP12(readFileSync(new URL(`p12/${name}.p12`, import.meta.url)), 'secret', NOW).key
}

function partsOf(cms: Buffer) {
  const contentInfo = openDer(readDer(cms, TAG.sequence))
  expect(contentInfo.take(TAG.oid).raw).toEqual(derOid(OID.signedData))
  const signedData = openDer(readDer(contentInfo.take(contextTag(0)).body, TAG.sequence))
  contentInfo.end()
  signedData.take(TAG.integer)
  signedData.take(TAG.set)
  const content = signedData.take(TAG.sequence)
  const certificates = derChildren(signedData.take(contextTag(0)))
  const [signerInfo, ...more] = derChildren(signedData.take(TAG.set))
  signedData.end()
  expect(more).toEqual([])
  const info = openDer(signerInfo!)
  info.take(TAG.integer)
  const identifier = info.take(TAG.sequence)
  info.take(TAG.sequence)
  const attributes = info.take(contextTag(0))
  info.take(TAG.sequence)
  const signature = info.take(TAG.octetString).body
  info.end()
  return { content, certificates, identifier, attributes, signature }
}

describe.each(['rsa-aes', 'p256-aes', 'p384-aes'])('a CMS by %s', (name) => {
  const key = keyOf(name)
  const signer = new CadesSigner(key)
  const cms = partsOf(signer.signDigest(DIGEST))

  it('signs exactly content type, digest and signing certificate, in DER SET order', () => {
    const values = derChildren(cms.attributes).map((attribute) => attribute.raw)
    expect(values.toSorted((a, b) => Buffer.compare(a, b))).toEqual(values)
    const types = values.map((raw) => derChildren(readDer(raw, TAG.sequence))[0]!.raw)
    expect(types).toHaveLength(3)
    for (const type of [OID.contentType, OID.messageDigest, OID.signingCertificateV2]) expect(types).toContainEqual(derOid(type))
    const digest = values.find((raw) => raw.includes(derOid(OID.messageDigest)))!
    expect(digest.subarray(-32)).toEqual(DIGEST)
    const certificate = values.find((raw) => raw.includes(derOid(OID.signingCertificateV2)))!
    // The signer's first, then its issuers (RFC 5035 3).
    const places = [key.certificate, ...key.chain].map((each) => certificate.indexOf(createHash('sha256').update(each).digest()))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('verifies over the attributes as a SET, as RFC 5652 5.4 requires', () => {
    const { publicKey } = new X509Certificate(key.certificate)
    expect(verify('sha256', der(TAG.set, cms.attributes.body), publicKey, cms.signature)).toBe(true)
    expect(verify('sha256', cms.attributes.raw, publicKey, cms.signature)).toBe(false)
  })

  it('is detached and contains the whole chain', () => {
    expect(cms.content.raw).toEqual(der(TAG.sequence, derOid(OID.data)))
    expect(cms.certificates.map(({ raw }) => raw.toString('hex')).toSorted()).toEqual(
      [key.certificate, ...key.chain].map((raw) => raw.toString('hex')).toSorted(),
    )
  })

  it('is never larger than the announced size and at most slightly smaller', () => {
    for (let i = 0; i < 40; i++) {
      const { length } = signer.signDigest(createHash('sha256').update(String(i)).digest())
      expect(length).toBeLessThanOrEqual(signer.contentsBytes)
      expect(length).toBeGreaterThan(signer.contentsBytes - 12)
      if (name === 'rsa-aes') expect(length).toBe(signer.contentsBytes)
    }
  })
})

describe('the signer', () => {
  it('is a @signpdf signer that hashes a buffer', async () => {
    const signer = new CadesSigner(keyOf('rsa-aes'))
    expect(signer).toBeInstanceOf(Signer)
    expect(await signer.sign(Buffer.from('document'))).toEqual(signer.signDigest(DIGEST))
  })
})
