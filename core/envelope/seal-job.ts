// The job to seal an envelope, written in the transaction of the last signature. `core/seal` runs it.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'
import type { WorkKind } from '#core/work/job.ts'

export const SEAL_WORK: WorkKind = {
  name: 'seal',
  role: 'seal',
  table: 'seal_jobs',
  idColumn: 'envelope_id',
  subject: 'sealwright.seal.requested',
  statusColumns: (sql) => sql`
    j.envelope_id, (select e.title from envelopes e where e.org_id = j.org_id and e.id = j.envelope_id) as title`,
}

export async function insertSealJob(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`insert into seal_jobs (org_id, envelope_id, trace_parent) values (${orgId}, ${envelopeId}, ${currentTraceParent()})`
}
