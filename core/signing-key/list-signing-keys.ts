// The public data of the signing keys: certificates are public, private keys are never in the database.
import type { KeyObject } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { nameOnOneLine, readCertificate } from '#core/pades/certificate.ts'
import { listSigningKeyRows, type SigningKeyRow } from './signing-key-store.ts'

export interface SigningKeyRecord extends Pick<SigningKeyRow, 'fingerprint' | 'origin' | 'sealingSince' | 'compromisedFrom'> {
  /** Names on one line, control characters escaped. */
  subject: string
  issuer: string
  /** Key type and size, e.g. `ECDSA P-256`. */
  algorithm: string
  notBefore: Date
  notAfter: Date
  /** True for the key in use; at most one. */
  isCurrent: boolean
}

/** The key in use first, then by when each was last put into use. */
export async function listSigningKeys(core: Pick<Core, 'database'>): Promise<SigningKeyRecord[]> {
  const rows = await listSigningKeyRows(core.database)
  return rows.map((row, index) => toRecord(row, index === 0 && row.compromisedFrom === null))
}

function toRecord({ certificate, ...row }: SigningKeyRow, isCurrent: boolean): SigningKeyRecord {
  const { fingerprint, origin, sealingSince, compromisedFrom } = row
  const { x509 } = readCertificate(certificate)
  return {
    fingerprint,
    origin,
    sealingSince,
    compromisedFrom,
    subject: nameOnOneLine(x509.subject),
    issuer: nameOnOneLine(x509.issuer),
    algorithm: describeKey(x509.publicKey),
    notBefore: x509.validFromDate,
    notAfter: x509.validToDate,
    isCurrent,
  }
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384' }

function describeKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return `RSA ${asymmetricKeyDetails?.modulusLength ?? ''}`.trim()
  const curve = asymmetricKeyDetails?.namedCurve ?? ''
  return `ECDSA ${CURVES[curve] ?? curve}`
}
