// Whether a certificate's signature could be forged: by a short key, or by a digest with known collisions.
import type { KeyObject } from 'node:crypto'
import type { Certificate } from '../certificate.ts'
import { contextTag, derOid, TAG } from '../der.ts'
import { type DerValue, openDer, readDer } from '../read-der.ts'
import { digestOf, isLongRsaKey, signatureAlgorithmOf } from './algorithms.ts'

const CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1']
const EDWARDS_KEYS: readonly string[] = ['ed25519', 'ed448']
const EDWARDS_SIGNATURES: readonly Buffer[] = ['1.3.101.112', '1.3.101.113'].map(derOid)
const RSA_PSS = derOid('1.2.840.113549.1.1.10')

/** Whether the key cannot be broken: RSA from 2048 bits, a NIST curve from P-256, or an Edwards curve. */
export function isStrongKey(key: KeyObject): boolean {
  const { asymmetricKeyType = '', asymmetricKeyDetails } = key
  if (asymmetricKeyType === 'ec') return CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '')
  return isLongRsaKey(key) || EDWARDS_KEYS.includes(asymmetricKeyType)
}

/** Whether the certificate was signed over SHA-2, or by an algorithm with a fixed digest. Throws DerError. */
export function isStronglySigned({ der }: Certificate): boolean {
  const certificate = openDer(readDer(der, TAG.sequence))
  certificate.take(TAG.sequence)
  const algorithm = certificate.take(TAG.sequence)
  if (signatureAlgorithmOf(algorithm)?.digest !== undefined) return true
  const parts = openDer(algorithm)
  const oid = parts.take(TAG.oid).raw
  if (EDWARDS_SIGNATURES.some((edwards) => edwards.equals(oid))) return true
  return oid.equals(RSA_PSS) && pssDigest(parts.takeIf(TAG.sequence)) !== undefined
}

// RSASSA-PSS-params ::= SEQUENCE { hashAlgorithm [0] DEFAULT sha1, ... } (RFC 4055 3.1).
function pssDigest(parameters: DerValue | undefined): string | undefined {
  const hash = parameters && openDer(parameters).takeIf(contextTag(0))
  return hash && digestOf(readDer(hash.body, TAG.sequence))
}
