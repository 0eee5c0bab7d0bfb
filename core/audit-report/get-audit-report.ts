// The audit report of an envelope as a PDF that can be archived, read without Sealwright and checked line by line: the sealed one once it is stored, a
// draft before.
import { createHash } from 'node:crypto'
import type { Caller, Core } from '#core/context.ts'
import { findRetention } from '#core/envelope/retention/store.ts'
import { findReadableEnvelope } from '#core/envelope/store.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { gatherReport } from './gather-report.ts'
import type { ReportPool } from './report-pool.ts'
import { findStoredReport } from './store.ts'

/** Returns the file and the envelope's title. Throws ENVELOPE_NOT_FOUND, SERVICE_UNAVAILABLE when too many reports wait to be drawn. */
export async function getAuditReport(
  core: Core,
  reports: ReportPool,
  caller: Caller,
  id: EnvelopeId,
): Promise<{ title: string; pdf: Buffer }> {
  const { orgId } = caller
  const { title, source } = await readInOrganisation(core.database, orgId, async (sql) => {
    const envelope = await findReadableEnvelope(sql, caller, id)
    if (!envelope) throw new DomainError('ENVELOPE_NOT_FOUND')
    const { archived } = await findRetention(sql, orgId, id, core.settings)
    const stored = archived ? undefined : await findStoredReport(sql, orgId, id)
    return {
      title: envelope.title,
      source: stored ?? (await gatherReport(sql, core, { orgId, id, stage: archived ? 'COPY' : 'DRAFT' })),
    }
  })
  return { title, pdf: 'storageKey' in source ? await readStored(core, source) : (await reports.draw(source, orgId)).pdf }
}

async function readStored({ storage }: Core, { storageKey, sha256 }: { storageKey: string; sha256: Buffer }): Promise<Buffer> {
  const pdf = await storage.read(storageKey)
  if (!equalSecrets(createHash('sha256').update(pdf).digest(), sha256))
    throw new StorageError('corrupt', 'The stored audit report is not the one that was sealed.')
  return pdf
}
