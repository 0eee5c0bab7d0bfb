// The algorithms that a seal may use, by the exact DER of their AlgorithmIdentifier, so that parameters need no interpretation.
import type { KeyObject } from 'node:crypto'
import { der, derOid, TAG } from '../der.ts'
import type { DerValue } from '../read-der.ts'

export type DigestName = 'sha256' | 'sha384' | 'sha512'
type KeyType = 'rsa' | 'ec'

export interface SignatureAlgorithm {
  readonly keyType: KeyType
  /** undefined where the CMS names the digest separately. */
  readonly digest: DigestName | undefined
}

const NULL = der(TAG.null)

// RFC 5754 2: parameters are absent, but NULL must be accepted.
const DIGESTS: ReadonlyMap<string, DigestName> = new Map(
  (
    [
      ['sha256', '2.16.840.1.101.3.4.2.1'],
      ['sha384', '2.16.840.1.101.3.4.2.2'],
      ['sha512', '2.16.840.1.101.3.4.2.3'],
    ] as const
  ).flatMap(([name, oid]) => [
    [identifier(oid), name],
    [identifier(oid, NULL), name],
  ]),
)

// RFC 4055 5 and RFC 3370 3.2: NULL for RSA; RFC 5758 3.2: absent for ECDSA.
const SIGNATURES: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  [identifier('1.2.840.113549.1.1.1', NULL), { keyType: 'rsa', digest: undefined }],
  [identifier('1.2.840.113549.1.1.11', NULL), { keyType: 'rsa', digest: 'sha256' }],
  [identifier('1.2.840.113549.1.1.12', NULL), { keyType: 'rsa', digest: 'sha384' }],
  [identifier('1.2.840.113549.1.1.13', NULL), { keyType: 'rsa', digest: 'sha512' }],
  [identifier('1.2.840.10045.4.3.2'), { keyType: 'ec', digest: 'sha256' }],
  [identifier('1.2.840.10045.4.3.3'), { keyType: 'ec', digest: 'sha384' }],
  [identifier('1.2.840.10045.4.3.4'), { keyType: 'ec', digest: 'sha512' }],
])

const MIN_RSA_BITS = 2048
const SEAL_CURVES: readonly string[] = ['prime256v1', 'secp384r1']

/** The digest of an AlgorithmIdentifier; undefined for one that a seal may not use. */
export function digestOf({ raw }: DerValue): DigestName | undefined {
  return DIGESTS.get(raw.toString('hex'))
}

/** The signature algorithm of an AlgorithmIdentifier; undefined for one that a seal may not use. */
export function signatureAlgorithmOf({ raw }: DerValue): SignatureAlgorithm | undefined {
  return SIGNATURES.get(raw.toString('hex'))
}

/** Whether a key may seal: RSA from 2048 bits, P-256 or P-384, as in assembleSigningKey. */
export function isSealKey(key: KeyObject): boolean {
  return isLongRsaKey(key) || SEAL_CURVES.includes(key.asymmetricKeyDetails?.namedCurve ?? '')
}

export function isLongRsaKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS
}

function identifier(oid: string, ...parameters: readonly Buffer[]): string {
  return der(TAG.sequence, derOid(oid), ...parameters).toString('hex')
}
