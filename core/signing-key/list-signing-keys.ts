// The certificates that have sealed for an organisation, for the panel.
import type { KeyObject } from 'node:crypto'
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { nameOnOneLine, readCertificate } from '#core/pades/certificate.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { type CertificateRow, listVisibleCertificates } from './certificate-store.ts'
import { choiceOf } from './choose-version.ts'
import { listSealCandidates } from './key-store.ts'

export interface SigningKeyRecord extends Pick<CertificateRow, 'fingerprint' | 'origin' | 'sealingSince' | 'compromisedFrom'> {
  /** Names on one line, control characters escaped. */
  subject: string
  issuer: string
  /** Key type and size, e.g. `ECDSA P-256`. */
  algorithm: string
  notBefore: Date
  notAfter: Date
  /** True for the one that seals now; at most one. */
  isCurrent: boolean
}

/** The certificate in use first, then by when each was last put into use. */
export async function listSigningKeys({ database }: Pick<Core, 'database'>, orgId: OrgId): Promise<SigningKeyRecord[]> {
  const [rows, candidates] = await readInOrganisation(database, orgId, (sql) =>
    Promise.all([listVisibleCertificates(sql, orgId), listSealCandidates(sql, orgId)]),
  )
  const choice = choiceOf(candidates)
  const current = choice.waits ? undefined : choice.version.fingerprint
  const records = rows.map((row) => toRecord(row, row.fingerprint === current && row.compromisedFrom === null))
  return records.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

function toRecord({ certificate, ...row }: CertificateRow, isCurrent: boolean): SigningKeyRecord {
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
