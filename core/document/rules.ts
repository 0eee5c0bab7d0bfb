// Where documents stand in the object store, and which may be attached.
import type { DocumentId, OrgId } from '#core/ids.ts'

/** Key of an uploaded original; the id is random, so no two uploads share one. */
export function originalKey(orgId: OrgId, id: DocumentId): string {
  return `organisations/${orgId}/originals/${id}.pdf`
}

/** Key of a sealed copy: named by its content, so that sealing twice cannot make two different files under one name. */
export function sealedKey(orgId: OrgId, sha256: Buffer): string {
  return `organisations/${orgId}/sealed/${sha256.toString('hex')}.pdf`
}

/** The file name of a sealed copy: `Lease.pdf` becomes `Lease-signed.pdf`. */
export function sealedFileName(filename: string): string {
  return `${filename.replace(/\.pdf$/i, '')}-signed.pdf`
}
