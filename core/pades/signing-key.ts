// The key that seals: a private key, its certificate and its chain. Every source (P12, PEM, self-signed) goes through assembleSigningKey, so
// an unusable key is refused before the first signature.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Certificate, certificateFingerprint, isIssuedBy, readCertificate, readPemCertificates } from './certificate.ts'

export interface SigningKey {
  privateKey: KeyObject
  /** DER. */
  certificate: Buffer
  /** DER, from the issuer of the certificate upwards, as far as known. */
  chain: Buffer[]
}

export type SigningKeyReason =
  | 'WRONG_PASSWORD'
  | 'UNREADABLE'
  | 'NO_PRIVATE_KEY'
  | 'NO_CERTIFICATE'
  | 'UNSUPPORTED_KEY'
  | 'WEAK_KEY'
  | 'NOT_YET_VALID'
  | 'EXPIRED'

/** Why a signing key is refused; the message is for the operator and contains no secret. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError'
  readonly reason: SigningKeyReason

  constructor(reason: SigningKeyReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** Key usages that validators expect of a seal certificate: without the second pyHanko reports it as untrusted and DSS warns. */
export type SigningKeyWarning = 'NO_DIGITAL_SIGNATURE_USAGE' | 'NO_NON_REPUDIATION_USAGE'

export interface OpenedSigningKey {
  key: SigningKey
  warnings: SigningKeyWarning[]
}

/**
 * Combines a private key with its certificate from `certificates` (DER, any order) and its chain. Accepts RSA from 2048 bits, P-256 and
 * P-384; throws SigningKeyError for a key that cannot seal at `now`.
 */
export function assembleSigningKey(privateKey: KeyObject, certificates: readonly Buffer[], now: Date): OpenedSigningKey {
  const { key, warnings, leaf } = join(privateKey, certificates)
  refuseOutOfDate(leaf, now)
  return { key, warnings }
}

function join(privateKey: KeyObject, certificates: readonly Buffer[]): OpenedSigningKey & { leaf: Certificate } {
  refuseUnsupportedKey(privateKey)
  const pool = certificates.map((certificate) =>
    orUnreadable('A certificate beside the private key cannot be read.', () => readCertificate(certificate)),
  )
  const leaf = pool.find((candidate) => candidate.x509.checkPrivateKey(privateKey))
  if (!leaf) throw new SigningKeyError('NO_CERTIFICATE', 'There is no certificate for the private key.')
  const chain = orderChain(leaf, pool).map((issuer) => issuer.der)
  return { key: { privateKey, certificate: leaf.der, chain }, warnings: usageWarnings(leaf), leaf }
}

function refuseOutOfDate({ x509: { validFromDate, validToDate } }: Certificate, now: Date): void {
  if (now < validFromDate)
    throw new SigningKeyError('NOT_YET_VALID', `The certificate is not valid before ${validFromDate.toISOString()}.`)
  if (now > validToDate) throw new SigningKeyError('EXPIRED', `The certificate expired at ${validToDate.toISOString()}.`)
}

/** Reads what writePemKey wrote, or any PEM with one unencrypted private key and its certificates. Throws SigningKeyError. */
export function openPemKey(pem: string, now: Date): OpenedSigningKey {
  const { privateKey, certificates } = partsOf(pem)
  return assembleSigningKey(privateKey, certificates, now)
}

/** Reads a key that was opened before, without checking its dates: each seal checks them at its own time. */
export function readPemKey(pem: string): SigningKey {
  const { privateKey, certificates } = partsOf(pem)
  return join(privateKey, certificates).key
}

function partsOf(pem: string): { privateKey: KeyObject; certificates: Buffer[] } {
  const block = /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[^-]+-----END (?:RSA |EC )?PRIVATE KEY-----/.exec(pem)?.[0]
  if (!block) throw new SigningKeyError('NO_PRIVATE_KEY', 'The PEM text contains no unencrypted private key.')
  const privateKey = orUnreadable('The private key in the PEM text cannot be read.', () => createPrivateKey(block))
  return { privateKey, certificates: readPemCertificates(pem) }
}

/** The private key as PKCS#8, then the certificate, then the chain. The text contains the key: store it encrypted or with mode 0600. */
export function writePemKey(key: SigningKey): string {
  const privateKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return privateKey + [key.certificate, ...key.chain].map(toPemCertificate).join('')
}

/** One certificate as PEM, for downloads and trust files. */
export function toPemCertificate(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** SHA-256 of the certificate in lower-case hex: identifies the key in records, pins and logs. */
export function signingKeyFingerprint(key: Pick<SigningKey, 'certificate'>): string {
  return certificateFingerprint(key.certificate)
}

function refuseUnsupportedKey(privateKey: KeyObject): void {
  const { modulusLength = 0, namedCurve = '' } = privateKey.asymmetricKeyDetails ?? {}
  const type = privateKey.asymmetricKeyType
  if (type === 'rsa') {
    if (modulusLength < 2048)
      throw new SigningKeyError('WEAK_KEY', `The RSA key has ${modulusLength} bits; at least 2048 are required.`)
    return
  }
  if (type === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve)) return
  throw new SigningKeyError('UNSUPPORTED_KEY', `Keys of type ${namedCurve || type} are not supported; use RSA, P-256 or P-384.`)
}

function orUnreadable<Value>(message: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new SigningKeyError('UNREADABLE', message, error)
  }
}

function orderChain(leaf: Certificate, pool: readonly Certificate[]): Certificate[] {
  const chain: Certificate[] = []
  let current = leaf
  while (!current.subject.equals(current.issuer)) {
    const issuer = pool.find((candidate) => !chain.includes(candidate) && candidate !== leaf && isIssuedBy(current, candidate))
    if (!issuer) break
    chain.push(issuer)
    current = issuer
  }
  return chain
}

function usageWarnings({ keyUsage }: Certificate): SigningKeyWarning[] {
  if (!keyUsage) return []
  const warnings: SigningKeyWarning[] = []
  if (!keyUsage.digitalSignature) warnings.push('NO_DIGITAL_SIGNATURE_USAGE')
  if (!keyUsage.nonRepudiation) warnings.push('NO_NON_REPUDIATION_USAGE')
  return warnings
}
