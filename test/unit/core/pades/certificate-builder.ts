// Builds certificates with keys: valid except for the one property that a test changes.
import 'reflect-metadata'
import { KeyObject, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  Extension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { der, TAG } from '#core/pades/der.ts'
import type { SigningKey } from '#core/pades/signing-key.ts'

export const NOT_BEFORE = new Date('2026-01-01T00:00:00Z')
export const NOT_AFTER = new Date('2029-01-01T00:00:00Z')

const KEYS = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521' },
  Ed25519: { name: 'Ed25519' },
  'RSA-2048': rsa('RSASSA-PKCS1-v1_5', 2048),
  'RSA-1024': rsa('RSASSA-PKCS1-v1_5', 1024),
  'PSS-2048': { ...rsa('RSA-PSS', 2048), saltLength: 32 },
  'PSS-SHA-1': { ...rsa('RSA-PSS', 2048), hash: 'SHA-1', saltLength: 20 },
} as const

export interface CertificateOptions {
  name: string
  /** Without it, the certificate is self-signed. */
  issuer?: Issued
  keys?: keyof typeof KEYS
  /** Reuses the keys of another certificate. */
  keyPair?: Issued
  /** The digest of the issuer's signature. */
  hash?: 'SHA-1' | 'SHA-256' | 'SHA-384'
  /** Number of issuers allowed below it; null for any number, undefined for a certificate that may not issue. */
  issuingDepth?: number | null | undefined
  /** Bits of USAGE; null for no extension. */
  usages?: number | null
  notBefore?: Date
  notAfter?: Date
  extensions?: Extension[]
  /** Its key identifiers: its own, or also that of its issuer. */
  keyIdentifiers?: 'none' | 'own' | 'both'
}

/** A certificate with its key, ready to sign documents or, as `issuer`, other certificates. */
export interface Issued extends SigningKey {
  subject: { CN: string[] }[]
  algorithm: object
  keys: webcrypto.CryptoKeyPair
}

/** Bits of the one octet that they need (RFC 5280 4.2.1.3). */
export const USAGE = { digitalSignature: 0x80, nonRepudiation: 0x40, keyEncipherment: 0x20, keyCertSign: 0x04, cRLSign: 0x02 }
const DOCUMENTS = USAGE.digitalSignature | USAGE.nonRepudiation
const CERTIFICATES = USAGE.keyCertSign | USAGE.cRLSign

export async function newCertificate({ issuer, ...options }: CertificateOptions): Promise<Issued> {
  const algorithm = KEYS[options.keys ?? 'P-256']
  const keys = options.keyPair?.keys ?? (await newKeys(algorithm))
  const subject = [{ CN: [options.name] }]
  const signing = issuer ?? { subject, algorithm, keys, certificate: undefined, chain: [] }
  const certificate = await X509CertificateGenerator.create({
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    ...options,
    subject,
    issuer: signing.subject,
    publicKey: keys.publicKey,
    signingKey: signing.keys.privateKey,
    signingAlgorithm: Object.assign({ name: '', hash: 'SHA-256' }, signing.algorithm, { hash: options.hash ?? 'SHA-256' }),
    extensions: [
      ...usageExtensions(options),
      ...(options.extensions ?? []),
      ...(await keyIdentifiers(options, keys, signing.keys)),
    ],
  })
  return {
    privateKey: KeyObject.from(keys.privateKey),
    certificate: Buffer.from(certificate.rawData),
    chain: signing.certificate === undefined ? [] : [signing.certificate, ...signing.chain],
    subject,
    algorithm,
    keys,
  }
}

async function newKeys(algorithm: object): Promise<webcrypto.CryptoKeyPair> {
  const keys = await webcrypto.subtle.generateKey(Object.assign({ name: '', hash: 'SHA-256' }, algorithm), true, [
    'sign',
    'verify',
  ])
  if (!('privateKey' in keys)) throw new Error('a pair of keys was expected')
  return keys
}

function usageExtensions({ issuingDepth, usages }: Pick<CertificateOptions, 'issuingDepth' | 'usages'>): Extension[] {
  const mayIssue = issuingDepth !== undefined
  const flags = usages === undefined ? (mayIssue ? CERTIFICATES : DOCUMENTS) : usages
  return [
    ...(mayIssue ? [new BasicConstraintsExtension(true, issuingDepth ?? undefined, true)] : []),
    ...(flags === null ? [] : [keyUsage(flags)]),
  ]
}

function keyUsage(octet: number): Extension {
  const unusedBits = Math.log2(octet & -octet)
  return new Extension('2.5.29.15', true, der(TAG.bitString, Buffer.from([unusedBits, octet])))
}

async function keyIdentifiers(
  { keyIdentifiers = 'none' }: Pick<CertificateOptions, 'keyIdentifiers'>,
  own: webcrypto.CryptoKeyPair,
  issuing: webcrypto.CryptoKeyPair,
): Promise<Extension[]> {
  return [
    ...(keyIdentifiers === 'none' ? [] : [await SubjectKeyIdentifierExtension.create(own.publicKey)]),
    ...(keyIdentifiers === 'both' ? [await AuthorityKeyIdentifierExtension.create(issuing.publicKey)] : []),
  ]
}

function rsa(name: string, modulusLength: number) {
  return { name, modulusLength, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }
}
