// Verifies the pipeline's result: downloads a sample of the sealed copies from the object store and validates them.
import { createHash } from 'node:crypto'
import type { DocumentId } from '#core/ids.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import type { PipelineSystem } from './pipeline-system.ts'

interface Sample {
  id: DocumentId
  storageKey: string
  originalKey: string
  sha256: Buffer
  certificate: Buffer
  auditHash: Buffer
}

/** Validates `count` random sealed copies. Throws at the first that does not match its row. */
export async function verifySample({ owner, storage }: PipelineSystem, count: number): Promise<void> {
  const rows = await owner<Sample[]>`
    select s.document_id as id, s.storage_key, d.storage_key as original_key, s.sha256, k.certificate, s.audit_hash
    from sealed_documents s
    join documents d on d.org_id = s.org_id and d.id = s.document_id
    join seal_certificates k on k.fingerprint = s.fingerprint
    where s.stored_at is not null
    order by random()
    limit ${count}`
  if (rows.length < count) throw new Error(`There are only ${rows.length} sealed copies.`)
  for (const { id, storageKey, originalKey, sha256, certificate, auditHash } of rows) {
    const [original, sealed] = await Promise.all([storage.read(originalKey), storage.read(storageKey)])
    const verdict = verifyPdf(sealed, { trust: [certificate] })
    const kept =
      verdict.valid &&
      createHash('sha256').update(sealed).digest().equals(sha256) &&
      sealed.subarray(0, original.length).equals(original) &&
      sealed.includes(auditHash.toString('hex'), original.length)
    if (!kept) throw new Error(`The sealed copy of document ${id} is not what it should be: ${verdict.message}`)
  }
}
