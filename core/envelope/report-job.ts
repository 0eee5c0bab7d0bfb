// The job to make the sealed audit report of an envelope that has ended. `core/audit-report` runs it.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import { REPORT_YIELD_SECONDS } from '#core/limits.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'
import type { Job, WorkKind } from '#core/work/job.ts'

export interface ReportJob extends Job {
  /** What an earlier run made; null before. `pdf`: until it is stored. */
  storageKey: string | null
  sha256: Buffer | null
  pdf: Buffer | null
}

export const REPORT_WORK: WorkKind = {
  name: 'report',
  role: 'seal',
  table: 'audit_reports',
  idColumn: 'envelope_id',
  subject: 'sealwright.report.requested',
  // A signer waits for a seal, and both need the same processors.
  dueWhen: (sql) => sql`
    and (j.wanted_at <= sealwright_now() - make_interval(secs => ${REPORT_YIELD_SECONDS}) or not exists (
      select from seal_jobs s
      where s.state = 'WAITING' and s.due_at <= sealwright_now() and (s.leased_until is null or s.leased_until <= sealwright_now())))`,
  details: (sql) => ({ columns: sql`j.storage_key, j.sha256, j.pdf`, joins: sql`` }),
  // The statement that ends the job also deletes the file's copy in the row.
  atEnd: (sql) => sql`, pdf = null`,
  statusColumns: (sql) => sql`
    j.envelope_id, (select e.title from envelopes e where e.org_id = j.org_id and e.id = j.envelope_id) as title`,
}

/** Inserts the job in the transaction that ends the envelope or completes its seals; its notification is a `jobMessage`. */
export async function insertReportJob(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`insert into audit_reports (org_id, envelope_id, trace_parent) values (${orgId}, ${envelopeId}, ${currentTraceParent()})`
}
