// Trust in the certificate: pins, chains to an anchor, dates, usages, and compromised keys.
import 'reflect-metadata'
import { BasicConstraintsExtension, ExtendedKeyUsageExtension, Extension } from '@peculiar/x509'
import { beforeAll, describe, expect, it } from 'vitest'
import { der, TAG } from '#core/pades/der.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'
import { verifyPdf, type VerifyOptions } from '#core/pades/verify-pdf.ts'
import { type CertificateOptions, type Issued, newCertificate, NOT_AFTER, NOT_BEFORE, USAGE } from '../certificate-builder.ts'
import { ORIGINAL, SEALED_AT, sealedFile } from '../sealed-file.ts'

const SECOND = 1000
const BEFORE_SEALING = new Date(SEALED_AT.getTime() - SECOND)
const AFTER_SEALING = new Date(SEALED_AT.getTime() + SECOND)

let root: Issued
let issuing: Issued
let seal: Issued
beforeAll(async () => {
  root = await newCertificate({ name: 'Root', issuingDepth: null })
  issuing = await newCertificate({ name: 'Issuing', issuer: root, issuingDepth: 0 })
  seal = await newCertificate({ name: 'Seal', issuer: issuing })
})

async function verdictOf(key: SigningKey, options: VerifyOptions, sealedAt = SEALED_AT) {
  return verifyPdf(await sealedFile(key, ORIGINAL, sealedAt), options)
}

/** Whether a chain of three, with these changes, is trusted through its root. */
async function isTrusted(changes: {
  root?: Partial<CertificateOptions>
  issuing?: Partial<CertificateOptions>
  seal?: Partial<CertificateOptions>
}) {
  const anchor = await newCertificate({ name: 'Root', issuingDepth: null, ...changes.root })
  const between = await newCertificate({ name: 'Issuing', issuer: anchor, issuingDepth: 0, ...changes.issuing })
  const signer = await newCertificate({ name: 'Seal', issuer: between, ...changes.seal })
  const { trusted, reasons } = await verdictOf(signer, { trust: [anchor.certificate] })
  expect(reasons).toEqual(trusted ? [] : ['UNTRUSTED'])
  return trusted
}

describe('trust', async () => {
  it('is not checked without trusted certificates', async () => {
    expect(await verdictOf(seal, {})).toMatchObject({ valid: true, trusted: null })
  })

  it('is refused with an empty list of trusted certificates', async () => {
    expect(await verdictOf(seal, { trust: [] })).toMatchObject({ valid: false, trusted: false, reasons: ['UNTRUSTED'] })
  })

  it.each<[string, () => Buffer[]]>([
    ['the pinned certificate of the seal', () => [seal.certificate]],
    ['its issuer', () => [issuing.certificate]],
    ['the root', () => [root.certificate]],
    ['one of several', () => [seal.certificate, root.certificate].toReversed()],
  ])('is given by %s', async (_, trust) => {
    expect(await verdictOf(seal, { trust: trust() })).toMatchObject({
      valid: true,
      trusted: true,
      message: 'The document is unchanged since it was sealed, and the seal certificate is trusted.',
    })
  })

  it('follows from a root that the seal does not contain', async () => {
    const withoutRoot = { ...seal, chain: [issuing.certificate] }
    expect((await verdictOf(withoutRoot, { trust: [root.certificate] })).trusted).toBe(true)
    expect((await verdictOf({ ...seal, chain: [] }, { trust: [issuing.certificate] })).trusted).toBe(true)
  })

  it('requires the whole chain', async () => {
    expect(await verdictOf({ ...seal, chain: [] }, { trust: [root.certificate] })).toMatchObject({
      trusted: false,
      reasons: ['UNTRUSTED'],
    })
  })

  it('follows from another certificate for the key of an issuer', async () => {
    const again = await newCertificate({ name: 'Root', issuingDepth: null, keyPair: root })
    expect(again.certificate.equals(root.certificate)).toBe(false)
    expect((await verdictOf(seal, { trust: [again.certificate] })).trusted).toBe(true)
  })

  it('does not follow from another root of the same name', async () => {
    const namesake = await newCertificate({ name: 'Root', issuingDepth: null })
    expect((await verdictOf(seal, { trust: [namesake.certificate] })).reasons).toEqual(['UNTRUSTED'])
  })

  it('does not follow from a pinned certificate for what it issued, unless it may issue', async () => {
    const below = await newCertificate({ name: 'Below', issuer: seal })
    expect((await verdictOf(below, { trust: [seal.certificate] })).reasons).toEqual(['UNTRUSTED'])
    expect((await verdictOf(below, { trust: [root.certificate] })).reasons).toEqual(['UNTRUSTED'])
  })

  it('throws when a trusted certificate cannot be read: the file did not cause that', async () => {
    await expect(verdictOf(seal, { trust: [Buffer.from('nonsense')] })).rejects.toThrow()
  })
})

describe('a chain', () => {
  const critical = new Extension('2.5.29.30', true, der(TAG.sequence))
  const allowing = (...octets: number[]) =>
    new Extension(
      '2.5.29.19',
      true,
      der(TAG.sequence, der(TAG.boolean, Buffer.from([0xff])), der(TAG.integer, Buffer.from(octets))),
    )
  const forWebServers = new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1'])
  const forDocuments = new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.36'])

  it.each<[string, Parameters<typeof isTrusted>[0]]>([
    ['of P-256', {}],
    ['of RSA', { root: { keys: 'RSA-2048' }, issuing: { keys: 'RSA-2048' } }],
    ['of RSA-PSS', { root: { keys: 'PSS-2048' }, issuing: { keys: 'PSS-2048' } }],
    ['of P-384 over P-521', { root: { keys: 'P-521' }, issuing: { keys: 'P-384', hash: 'SHA-384' } }],
    ['of Ed25519', { root: { keys: 'Ed25519' }, issuing: { keys: 'Ed25519' } }],
    ['without key usages', { root: { usages: null }, issuing: { usages: null }, seal: { usages: null } }],
    ['with a purpose that includes documents', { seal: { extensions: [forDocuments] } }],
    [
      'with an unknown extension that is not critical',
      { issuing: { extensions: [new Extension('1.2.3', false, der(TAG.null))] } },
    ],
    ['whose root may have one issuer below', { root: { issuingDepth: 1 } }],
    [
      'whose root may have many issuers below',
      { root: { issuingDepth: undefined, usages: null, extensions: [allowing(0x01, 0x2c)] } },
    ],
    ['whose root has expired since', { root: { notAfter: AFTER_SEALING } }],
  ])('%s is trusted', async (_, changes) => {
    expect(await isTrusted(changes)).toBe(true)
  })

  it.each<[string, Parameters<typeof isTrusted>[0]]>([
    ['whose root may not issue', { root: { issuingDepth: undefined, usages: USAGE.keyCertSign } }],
    [
      'whose root says that it issues nothing',
      { root: { issuingDepth: undefined, usages: null, extensions: [new BasicConstraintsExtension(false)] } },
    ],
    ['whose root may have no issuer below', { root: { issuingDepth: 0 } }],
    ['whose root is not for certificates', { root: { usages: USAGE.digitalSignature } }],
    ['whose root had expired', { root: { notAfter: BEFORE_SEALING } }],
    ['whose root did not count yet', { root: { notBefore: AFTER_SEALING } }],
    ['whose issuer may not issue', { issuing: { issuingDepth: undefined, usages: USAGE.keyCertSign } }],
    ['whose issuer is not for certificates', { issuing: { usages: USAGE.cRLSign } }],
    ['whose issuer had expired', { issuing: { notAfter: BEFORE_SEALING } }],
    ['whose issuer did not count yet', { issuing: { notBefore: AFTER_SEALING } }],
    ['with a critical extension that is not checked', { issuing: { extensions: [critical] } }],
    ['with such an extension in the root', { root: { extensions: [critical] } }],
    ['with such an extension in the certificate of the seal', { seal: { extensions: [critical] } }],
    ['with an extension twice', { issuing: { extensions: [forDocuments, forWebServers] } }],
    ['for web servers', { seal: { extensions: [forWebServers] } }],
    ['signed over SHA-1', { seal: { hash: 'SHA-1' } }],
    ['with an issuer signed over SHA-1', { issuing: { hash: 'SHA-1' } }],
    ['with an issuer signed over SHA-1 by RSA-PSS', { root: { keys: 'PSS-SHA-1', hash: 'SHA-1' }, issuing: { hash: 'SHA-1' } }],
    [
      'whose root allows less than no issuer below',
      { root: { issuingDepth: undefined, usages: null, extensions: [allowing(0xff)] } },
    ],
    ['with an issuer of a short key', { issuing: { keys: 'RSA-1024' } }],
    ['with a root of a short key', { root: { keys: 'RSA-1024' } }],
  ])('%s is not trusted', async (_, changes) => {
    expect(await isTrusted(changes)).toBe(false)
  })

  it('can contain a self-issued issuer, which does not count', async () => {
    const anchor = await newCertificate({ name: 'Root', issuingDepth: 0 })
    const reissued = await newCertificate({ name: 'Root', issuer: anchor, issuingDepth: 0 })
    const signer = await newCertificate({ name: 'Seal', issuer: reissued })
    expect((await verdictOf(signer, { trust: [anchor.certificate] })).trusted).toBe(true)
  })

  it('is not required of a pinned certificate', async () => {
    const alone = await newCertificate({ name: 'Alone', extensions: [forWebServers, critical] })
    expect(await verdictOf(alone, { trust: [alone.certificate] })).toMatchObject({ valid: true, trusted: true })
  })
})

describe('the certificate of the seal', async () => {
  it.each<[string, Date, readonly string[]]>([
    ['in its first second', NOT_BEFORE, []],
    ['in its last second', NOT_AFTER, []],
    ['a second too early', new Date(NOT_BEFORE.getTime() - SECOND), ['CERTIFICATE_NOT_IN_DATE']],
    ['a second too late', new Date(NOT_AFTER.getTime() + SECOND), ['CERTIFICATE_NOT_IN_DATE']],
  ])('used %s', async (_, sealedAt, reasons) => {
    expect((await verdictOf(seal, { trust: [seal.certificate] }, sealedAt)).reasons).toEqual(reasons)
  })

  it.each<[string, number | null, readonly string[]]>([
    ['for everything', null, []],
    ['for signatures', USAGE.digitalSignature, []],
    ['for what is meant to bind, as European seals often are', USAGE.nonRepudiation, []],
    ['for key encipherment only', USAGE.keyEncipherment, ['KEY_USAGE_MISMATCH']],
    ['for certificates only', USAGE.keyCertSign, ['KEY_USAGE_MISMATCH']],
  ])('%s', async (_, usages, reasons) => {
    const key = await newCertificate({ name: 'Seal', usages })
    expect((await verdictOf(key, { trust: [key.certificate] })).reasons).toEqual(reasons)
  })
})

describe('a compromised key', async () => {
  it.each<[string, Date | null, readonly string[]]>([
    ['since the sealing', SEALED_AT, ['KEY_COMPROMISED']],
    ['since before the sealing', BEFORE_SEALING, ['KEY_COMPROMISED']],
    ['only later', AFTER_SEALING, []],
    ['never', null, []],
  ])('%s', async (_, from, reasons) => {
    const asked: Buffer[] = []
    const compromisedFrom = (certificate: Buffer) => {
      asked.push(certificate)
      return from
    }
    expect((await verdictOf(seal, { compromisedFrom })).reasons).toEqual(reasons)
    expect(asked).toEqual([seal.certificate])
  })
})

describe('a signing time', () => {
  const DAY = 24 * 60 * 60 * SECOND

  it.each<[string, number, readonly string[]]>([
    ['in the past', -DAY, []],
    ['up to a day ahead, because clocks differ', DAY, []],
    ['more than a day ahead', DAY + SECOND, ['SIGNING_TIME_IN_FUTURE']],
    ['many years ahead', 10 * 365 * DAY, ['SIGNING_TIME_IN_FUTURE', 'CERTIFICATE_NOT_IN_DATE']],
  ])('%s', async (_, ahead, reasons) => {
    const sealedAt = new Date(SEALED_AT.getTime() + ahead)
    expect((await verdictOf(seal, { now: SEALED_AT }, sealedAt)).reasons).toEqual(reasons)
  })
})

describe('several reasons', () => {
  it('are all reported, the worst first, with the content of the seal', async () => {
    const key = await newCertificate({ name: 'Seal', usages: USAGE.keyEncipherment, notAfter: BEFORE_SEALING })
    const sealed = await sealedFile(key)
    sealed[20]! ^= 1
    expect(verifyPdf(sealed, { trust: [], compromisedFrom: () => SEALED_AT })).toMatchObject({
      valid: false,
      reasons: ['DIGEST_MISMATCH', 'CERTIFICATE_NOT_IN_DATE', 'KEY_USAGE_MISMATCH', 'UNTRUSTED', 'KEY_COMPROMISED'],
      message: 'The document was changed after sealing.',
      signature: { certificate: { subject: 'CN=Seal' } },
    })
  })
})
