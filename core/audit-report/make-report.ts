// Makes the sealed audit report of an envelope that has ended: draw, seal, record, store. It is recorded before it is stored, so a second run stores the
// same bytes.
import type { SystemCore } from '#core/context.ts'
import { reportKey } from '#core/envelope/document/rules.ts'
import { REPORT_WORK, type ReportJob } from '#core/envelope/report-job.ts'
import { EnvelopeId, type OrgId } from '#core/ids.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { markJobDone } from '#core/work/job-store.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import type { HeldKey } from '#core/signing-key/loading/key-ring.ts'
import type { AuditReport } from './audit-report.ts'
import { gatherReport } from './gather-report.ts'
import type { ReportPool } from './report-pool.ts'
import { findStoredReport, findUnstoredReport, type MadeReport, recordReport } from './store.ts'

export interface ReportMakers {
  reports: ReportPool
  sealing: SealingPool
}

/** The audit trail was tampered with: a report of it is never sealed. */
export class BrokenTrailError extends Error {
  constructor() {
    super('The audit trail of the envelope was tampered with. Run: sealwright audit verify')
  }
}

/** Returns false without any effect when another worker has stored the report, or when the envelope was archived. */
export async function makeReport(core: SystemCore, makers: ReportMakers, job: ReportJob): Promise<boolean> {
  const { orgId, id, storageKey, sha256, pdf } = job
  const envelopeId = EnvelopeId.parse(id)
  const recorded = storageKey && sha256 && pdf ? { storageKey, sha256, pdf } : undefined
  const report = recorded ?? (await sealAndRecord(core, makers, orgId, envelopeId))
  if (!report) return false
  await core.storage.put(report.storageKey, report.pdf, { contentType: 'application/pdf', sha256: report.sha256 })
  if (await markJobDone(core.database, REPORT_WORK, { orgId, id })) return true
  // The envelope may have been archived meanwhile; otherwise only the sweep of orphans would find the object.
  const kept = await findStoredReport(core.database, orgId, envelopeId)
  if (kept?.storageKey !== report.storageKey) await core.storage.delete(report.storageKey)
  return false
}

/** The recorded report: another worker, whose lease had expired, may have recorded its own first. Undefined when none is wanted any more. */
async function sealAndRecord(
  core: SystemCore,
  makers: ReportMakers,
  orgId: OrgId,
  id: EnvelopeId,
): Promise<MadeReport | undefined> {
  const [report, choice] = await Promise.all([
    readInOrganisation(core.database, orgId, (sql) => gatherReport(sql, core, { orgId, id, stage: 'FINAL' })),
    makers.sealing.keys.choose(orgId),
  ])
  if (!report.chain.valid) throw new BrokenTrailError()
  const auditHead = { envelopeId: id, seq: report.chain.rows, hash: report.chain.headHash }
  using key = await makers.sealing.keys.acquire(choice)
  const made = await seal(makers, orgId, key, report, auditHead)
  const storageKey = reportKey(orgId, made.sha256)
  const sealed = { ...made, storageKey, fingerprint: key.fingerprint, sealedAt: report.madeAt, auditHead }
  if (await recordReport(core.database, orgId, sealed)) return sealed
  return findUnstoredReport(core.database, orgId, id)
}

async function seal(
  { reports, sealing }: ReportMakers,
  orgId: OrgId,
  key: HeldKey,
  report: AuditReport,
  auditHead: AuditHead,
): Promise<{ pdf: Buffer; sha256: Buffer }> {
  const { pdf, plan } = await reports.draw(report, orgId)
  if (!plan) throw new Error('The report was drawn as a draft.')
  return sealing.memory.hold(pdf.length, async (memory) => {
    memory.set(pdf)
    const { increment, sha256 } = await sealing.seal(
      { original: memory, plan, placements: [], seals: [], sealedAt: report.madeAt, auditHead },
      key,
    )
    return { pdf: Buffer.concat([pdf, increment]), sha256 }
  })
}
