// A TLS certificate for a receiver of webhooks on a trial, under an authority of its own. The authority's key signs once and is discarded.
import 'reflect-metadata'
import { KeyObject, randomBytes, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const HOUR_MS = 3_600_000
const TEN_YEARS_MS = 10 * 365.25 * 24 * HOUR_MS

/** PEM of the private key, its certificate for these names and the authority, in this order. */
export async function newServerCertificate(names: JsonGeneralName[]): Promise<string> {
  const authorityKeys = await webcrypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  // A name of its own: a client that trusts two authorities of one name tries only one of them.
  const issuer = [{ O: ['Sealwright'] }, { CN: [`Sealwright webhook receiver root ${randomBytes(4).toString('hex')}`] }]
  // TLS compares with this machine's clock, so this is not the database's time.
  const now = Date.now()
  const common = {
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + TEN_YEARS_MS),
    signingAlgorithm: ALGORITHM,
    signingKey: authorityKeys.privateKey,
    issuer,
  }
  const authority = await X509CertificateGenerator.create({
    ...common,
    subject: issuer,
    publicKey: authorityKeys.publicKey,
    serialNumber: newSerialNumber(),
    extensions: [new BasicConstraintsExtension(true, 0, true), new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true)],
  })
  const certificate = await X509CertificateGenerator.create({
    ...common,
    subject: [{ O: ['Sealwright'] }, { CN: ['Sealwright webhook receiver'] }],
    publicKey: keys.publicKey,
    serialNumber: newSerialNumber(),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([SERVER_AUTHENTICATION]),
      new SubjectAlternativeNameExtension(names),
    ],
  })
  const privateKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  return privateKey + [certificate, authority].map((each) => `${each.toString('pem')}\n`).join('')
}

// RFC 5280 4.1.2.2: positive, at most 20 octets.
function newSerialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes.toString('hex')
}
