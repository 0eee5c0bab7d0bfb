// Counts rows, objects and emails after a burst of seals: each document has to have exactly one of each.
import path from 'node:path'
import { sealedKey } from '#core/envelope/document/rules.ts'
import type { OrgId } from '#core/ids.ts'
import type { PipelineSystem } from './pipeline-system.ts'

export interface Sealed {
  documents: number
  /** Rows of stored seals. */
  rows: number
  /** Sealed copies in the object store. */
  objects: number
  /** Documents without a stored copy, a completed job or the email about it. */
  lost: number
  /** Objects without a row, rows that share one, and documents with two emails. */
  doubled: number
  /** Jobs with more than one attempt: their worker was stopped. */
  takenTwice: number
}

export async function countSealed({ owner, storage, organisation }: PipelineSystem): Promise<Sealed> {
  // Each envelope has one document and one signer, who gets one email when all is sealed.
  const [counts] = await owner<Omit<Sealed, 'objects'>[]>`
    select count(*)::int as documents, count(s.stored_at)::int as rows,
      count(*) filter (where s.stored_at is null or j.state is distinct from 'DONE' or m.emails = 0)::int as lost,
      count(*) filter (where m.emails > 1)::int as doubled,
      count(*) filter (where j.attempts > 1)::int as taken_twice
    from documents d
    join envelopes e on e.org_id = d.org_id and e.id = d.envelope_id and e.status = 'COMPLETED'
    left join seal_jobs j on j.org_id = e.org_id and j.envelope_id = e.id
    left join sealed_documents s on s.org_id = d.org_id and s.document_id = d.id
    cross join lateral (select count(*) as emails from mails where org_id = e.org_id and envelope_id = e.id and template = 'COMPLETED') m`
  const rows = await owner<{ storageKey: string }[]>`select storage_key from sealed_documents where stored_at is not null`
  const keys = new Set(rows.map(({ storageKey }) => storageKey))
  const stored = await listKeys(storage, organisation.orgId)
  const missing = [...keys].filter((key) => !stored.has(key)).length
  const unknown = [...stored].filter((key) => !keys.has(key)).length
  return {
    ...counts!,
    objects: stored.size,
    lost: counts!.lost + missing,
    doubled: counts!.doubled + unknown + (rows.length - keys.size),
  }
}

/** The keys of the organisation's sealed copies. */
async function listKeys(storage: PipelineSystem['storage'], orgId: OrgId): Promise<Set<string>> {
  const folder = path.posix.dirname(sealedKey(orgId, Buffer.alloc(0)))
  const keys = new Set<string>()
  for await (const { key } of storage.list(`${folder}/`, new Date(Date.now() + 60_000))) keys.add(key)
  return keys
}
