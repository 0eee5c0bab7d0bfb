// Makes the default key of an installation: a root, and a seal certificate issued by it. The root key signs once and is discarded, so
// it can never issue a second certificate.
import 'reflect-metadata'
import { KeyObject, randomBytes, webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { der, TAG } from './der.ts'
import { OID } from './oid.ts'
import type { SigningKey } from './signing-key.ts'

export interface SelfSignedKeyOptions {
  /** Subject of the seal certificate, e.g. the organisation's public name; the root adds "Root". */
  commonName: string
  organisation: string
  /** Absent: P-256. */
  algorithm?: KeyAlgorithm
  now: Date
}

export type KeyAlgorithm = 'EC-P256' | 'RSA-3072'

const ALGORITHMS = {
  'EC-P256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'RSA-3072': { name: 'RSASSA-PKCS1-v1_5', modulusLength: 3072, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
} as const
const ROOT_YEARS = 10
const SEAL_YEARS = 3
/** Certificates are valid from this much earlier, so that a machine with a slow clock can seal at once. */
const CLOCK_SKEW_MS = 3_600_000

/** A new key with a certificate valid for three years from `now`, under a root of its own. */
export async function newSelfSignedKey({
  commonName,
  organisation,
  algorithm = 'EC-P256',
  now,
}: SelfSignedKeyOptions): Promise<SigningKey> {
  const signingAlgorithm = ALGORITHMS[algorithm]
  const rootKeys = await webcrypto.subtle.generateKey(signingAlgorithm, false, ['sign', 'verify'])
  const sealKeys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const rootName = [{ O: [organisation] }, { CN: [`${commonName} Root`] }]
  const common = {
    notBefore: new Date(now.getTime() - CLOCK_SKEW_MS),
    signingAlgorithm,
    signingKey: rootKeys.privateKey,
    issuer: rootName,
  }

  const root = await X509CertificateGenerator.create({
    ...common,
    subject: rootName,
    publicKey: rootKeys.publicKey,
    serialNumber: newSerialNumber(),
    notAfter: yearsAfter(now, ROOT_YEARS),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(rootKeys.publicKey),
    ],
  })
  const seal = await X509CertificateGenerator.create({
    ...common,
    subject: [{ O: [organisation] }, { CN: [commonName] }],
    publicKey: sealKeys.publicKey,
    serialNumber: newSerialNumber(),
    notAfter: yearsAfter(now, SEAL_YEARS),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true),
      await SubjectKeyIdentifierExtension.create(sealKeys.publicKey),
      await AuthorityKeyIdentifierExtension.create(rootKeys.publicKey),
      // RFC 9608: there is no revocation service, so a validator must not wait for one.
      new Extension(OID.noRevAvail, false, der(TAG.null)),
    ],
  })
  return { privateKey: KeyObject.from(sealKeys.privateKey), certificate: toDer(seal), chain: [toDer(root)] }
}

// RFC 5280 4.1.2.2: positive and at most 20 octets; 16 random ones with the top bit clear.
function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.toString('hex')
}

function yearsAfter(start: Date, years: number): Date {
  const end = new Date(start)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  return end
}

function toDer(certificate: X509Certificate): Buffer {
  return Buffer.from(certificate.rawData)
}
