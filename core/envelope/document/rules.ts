// The keys of documents in the object store, and which documents may be attached.
import type { DocumentId, OrgId } from '#core/ids.ts'

/** Key of an uploaded original; the id is random, so no two uploads share one. */
export function originalKey(orgId: OrgId, id: DocumentId): string {
  return `organisations/${orgId}/originals/${id}.pdf`
}

/** Key of a sealed copy, named by its content, so that sealing twice cannot store two different files under one key. */
export function sealedKey(orgId: OrgId, sha256: Buffer): string {
  return `organisations/${orgId}/sealed/${sha256.toString('hex')}.pdf`
}

/** Key of a sealed audit report, named by its content. */
export function reportKey(orgId: OrgId, sha256: Buffer): string {
  return `organisations/${orgId}/reports/${sha256.toString('hex')}.pdf`
}

/** The file name of a sealed copy: `Lease.pdf` becomes `Lease-signed.pdf`. */
export function sealedFileName(filename: string): string {
  return `${filename.replace(/\.pdf$/i, '')}-signed.pdf`
}

/** The parts of a key. */
export type DocumentKey =
  | { kind: 'original'; key: string; orgId: string; id: string }
  | { kind: 'sealed'; key: string; orgId: string; sha256: string }
  | { kind: 'report'; key: string; orgId: string; sha256: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const ORIGINAL = new RegExp(`^organisations/(${UUID})/originals/(${UUID})\\.pdf$`)
const SEALED = new RegExp(`^organisations/(${UUID})/sealed/([0-9a-f]{64})\\.pdf$`)
const REPORT = new RegExp(`^organisations/(${UUID})/reports/([0-9a-f]{64})\\.pdf$`)

/** Parses a key; undefined for a key that is not ours. */
export function readKey(key: string): DocumentKey | undefined {
  const [, originalOrg, id] = ORIGINAL.exec(key) ?? []
  if (originalOrg && id) return { kind: 'original', key, orgId: originalOrg, id }
  const [, sealedOrg, sha256] = SEALED.exec(key) ?? []
  if (sealedOrg && sha256) return { kind: 'sealed', key, orgId: sealedOrg, sha256 }
  const [, reportOrg, reportSha256] = REPORT.exec(key) ?? []
  if (reportOrg && reportSha256) return { kind: 'report', key, orgId: reportOrg, sha256: reportSha256 }
  return undefined
}
