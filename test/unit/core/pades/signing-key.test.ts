// Signing keys from P12 files, from PEM and self-signed: which are accepted, and which are refused with which reason.
import { generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCertificate } from '#core/pades/certificate.ts'
import { openP12 } from '#core/pades/open-p12.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import {
  assembleSigningKey,
  openPemKey,
  type SigningKey,
  signingKeyFingerprint,
  toPemCertificate,
  writePemKey,
} from '#core/pades/signing-key.ts'

const NOW = new Date('2027-01-01T00:00:00Z')

function p12(name: string, password = 'secret', now = NOW) {
  return openP12(readFileSync(new URL(`p12/${name}.p12`, import.meta.url)), password, now)
}

function canSign({ privateKey, certificate }: SigningKey): boolean {
  const signature = sign('sha256', Buffer.from('text'), privateKey)
  return verify('sha256', Buffer.from('text'), new X509Certificate(certificate).publicKey, signature)
}

describe('a P12 file', () => {
  // requirements: running/settings/signing key
  it.each([
    ['rsa-aes', 'rsa'],
    ['rsa-3des', 'rsa'],
    ['p256-aes', 'ec'],
    ['p256-3des', 'ec'],
    ['p384-aes', 'ec'],
    ['plain-bags', 'ec'],
  ])('%s gives its key, its certificate and the chain in order', (name, type) => {
    const { key, warnings } = p12(name)
    expect(key.privateKey.asymmetricKeyType).toBe(type)
    const [leaf, issuing, root] = [key.certificate, ...key.chain].map((der) => new X509Certificate(der))
    expect(leaf!.checkPrivateKey(key.privateKey)).toBe(true)
    expect(leaf!.verify(issuing!.publicKey) && issuing!.verify(root!.publicKey) && root!.verify(root!.publicKey)).toBe(true)
    expect(key.chain).toHaveLength(2)
    expect(warnings).toEqual([])
    expect(canSign(key)).toBe(true)
  })

  it('opens with a non-ASCII password, which its MAC and its encryption encode differently', () => {
    expect(p12('utf8-password', 'żółć').key.chain).toHaveLength(2)
    expect(() => p12('utf8-password', 'żółw')).toThrowError(expect.objectContaining({ reason: 'WRONG_PASSWORD' }))
  })

  it('whose MAC does not match is refused, for ASCII and non-ASCII passwords', () => {
    const damaged = readFileSync(new URL('p12/utf8-password.p12', import.meta.url))
    // The file ends with the salt of its MAC and INTEGER 2048.
    damaged[damaged.length - 6]! ^= 1
    expect(() => openP12(damaged, 'żółć', NOW)).toThrowError(expect.objectContaining({ reason: 'WRONG_PASSWORD' }))
  })

  it.each([
    ['a wrong password', 'rsa-aes', 'Secret', 'WRONG_PASSWORD'],
    ['an empty password', 'p256-3des', '', 'WRONG_PASSWORD'],
    ['no private key', 'no-key', 'secret', 'NO_PRIVATE_KEY'],
    ['no certificate', 'no-certificate', 'secret', 'NO_CERTIFICATE'],
    ['a short RSA key', 'weak', 'secret', 'WEAK_KEY'],
    ['a key that CMS validators do not take', 'ed25519', 'secret', 'UNSUPPORTED_KEY'],
  ])('with %s is refused', (_, name, password, reason) => {
    expect(() => p12(name, password)).toThrowError(expect.objectContaining({ name: 'SigningKeyError', reason }))
  })

  it('that is not a P12 file is refused', () => {
    expect(() => openP12(Buffer.from('hello'), 'secret', NOW)).toThrowError(expect.objectContaining({ reason: 'UNREADABLE' }))
  })

  it('whose certificate is not in date is refused', () => {
    expect(() => p12('rsa-aes', 'secret', new Date('2020-01-01'))).toThrowError(
      expect.objectContaining({ reason: 'NOT_YET_VALID' }),
    )
    expect(() => p12('rsa-aes', 'secret', new Date('2200-01-01'))).toThrowError(expect.objectContaining({ reason: 'EXPIRED' }))
  })

  it('whose certificate lacks the key usages for signatures opens with warnings', () => {
    expect(p12('encipher').warnings).toEqual(['NO_DIGITAL_SIGNATURE_USAGE', 'NO_NON_REPUDIATION_USAGE'])
  })
})

describe('PEM', () => {
  it('restores a key as it was', () => {
    const { key } = p12('p384-aes')
    const again = openPemKey(writePemKey(key), NOW).key
    expect(again.privateKey.equals(key.privateKey)).toBe(true)
    expect([again.certificate, ...again.chain]).toEqual([key.certificate, ...key.chain])
    expect(signingKeyFingerprint(again)).toBe(
      new X509Certificate(key.certificate).fingerprint256.replaceAll(':', '').toLowerCase(),
    )
  })

  it.each([
    ['without a private key', (pem: string) => pem.slice(pem.indexOf('-----BEGIN CERT')), 'NO_PRIVATE_KEY'],
    ['without certificates', (pem: string) => pem.slice(0, pem.indexOf('-----BEGIN CERT')), 'NO_CERTIFICATE'],
    ['with a damaged private key', (pem: string) => pem.replace(/(?<=PRIVATE KEY-----\n)./, '!'), 'UNREADABLE'],
    ['with a damaged certificate', (pem: string) => pem.replace(/(?<=CERTIFICATE-----\n)./, 'A'), 'UNREADABLE'],
  ])('%s is refused', (_, damage, reason) => {
    expect(() => openPemKey(damage(writePemKey(p12('p256-aes').key)), NOW)).toThrowError(expect.objectContaining({ reason }))
  })

  it('certificates are read by OpenSSL', () => {
    const { certificate } = p12('rsa-aes').key
    expect(new X509Certificate(toPemCertificate(certificate)).raw).toEqual(certificate)
  })
})

describe('the leaf certificate', () => {
  it('is the one that matches the key, although another has the same name', async () => {
    const first = await newSelfSignedKey({ commonName: 'Same', organisation: 'Same', now: NOW })
    const second = await newSelfSignedKey({ commonName: 'Same', organisation: 'Same', now: NOW })
    const all = [second.certificate, first.certificate, ...second.chain, ...first.chain]
    expect(assembleSigningKey(first.privateKey, all, NOW).key).toEqual(first)
  })

  it('is not guessed when none matches', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(() => assembleSigningKey(privateKey, [p12('p256-aes').key.certificate], NOW)).toThrowError(
      expect.objectContaining({ reason: 'NO_CERTIFICATE' }),
    )
  })
})

describe('a self-signed key', () => {
  it('is a P-256 seal certificate under a root of its own', async () => {
    const key = await newSelfSignedKey({ commonName: 'Zażółć Seal', organisation: 'Example, Inc. <x>', now: NOW })
    const [leaf, root] = [key.certificate, ...key.chain].map(readCertificate)
    expect(leaf!.x509.verify(root!.x509.publicKey) && root!.x509.verify(root!.x509.publicKey)).toBe(true)
    expect(leaf!.x509.subject).toBe('O=Example\\, Inc. \\<x\\>\nCN=Zażółć Seal')
    expect(root!.x509.subject).toBe('O=Example\\, Inc. \\<x\\>\nCN=Zażółć Seal Root')
    expect([leaf!.x509.ca, root!.x509.ca]).toEqual([false, true])
    expect(leaf!.keyUsage).toEqual({ digitalSignature: true, nonRepudiation: true, keyCertSign: false })
    expect(root!.keyUsage).toEqual({ digitalSignature: false, nonRepudiation: false, keyCertSign: true })
    // noRevAvail, 2.5.29.56, with NULL inside.
    expect(leaf!.der.includes(Buffer.from('0603551d3804020500', 'hex'))).toBe(true)
    expect(leaf!.x509.validFromDate < NOW).toBe(true)
    expect([leaf!.x509.validToDate, root!.x509.validToDate]).toEqual([new Date('2030-01-01'), new Date('2037-01-01')])
    expect(openPemKey(writePemKey(key), NOW)).toMatchObject({ warnings: [] })
  })

  it('is an RSA one where that is asked for', async () => {
    const key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'Example', algorithm: 'RSA-3072', now: NOW })
    expect(key.privateKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 })
    expect(openPemKey(writePemKey(key), NOW)).toMatchObject({ warnings: [] })
  })

  it('is new every time', async () => {
    const options = { commonName: 'Seal', organisation: 'Example', now: NOW }
    const [one, two] = [await newSelfSignedKey(options), await newSelfSignedKey(options)]
    expect(signingKeyFingerprint(one)).not.toBe(signingKeyFingerprint(two))
    expect(one.privateKey.equals(two.privateKey)).toBe(false)
  })
})
