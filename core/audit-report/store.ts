// The SQL of sealed audit reports, and of what a report says about its envelope.
import type { EnvelopeStatus } from '#core/envelope/rules.ts'
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface ReportedEnvelope {
  title: string
  status: EnvelopeStatus
  workspaceName: string
  createdAt: Date
  createdBy: string | null
  expiresAt: Date | null
  otpRequired: boolean
  sequentialSigning: boolean
}

/** The envelope without a check of the caller. */
export async function findReportedEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<ReportedEnvelope | undefined> {
  const [row] = await sql<ReportedEnvelope[]>`
    select e.title, shown_status(e.status, e.lapses_at) as status, w.name as workspace_name, e.created_at, e.created_by, e.expires_at,
      e.otp_required, e.sequential_signing
    from envelopes e
    join workspaces w on w.org_id = e.org_id and w.id = e.workspace_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row
}

export interface MadeReport {
  storageKey: string
  sha256: Buffer
  pdf: Buffer
}

export interface NewReport extends MadeReport {
  fingerprint: string
  sealedAt: Date
  auditHead: AuditHead
}

/** Records a report before it is stored. Returns false, and keeps the first one, when another worker has recorded one, or it is no longer wanted. */
export async function recordReport(sql: Sql, orgId: OrgId, report: NewReport): Promise<boolean> {
  const { storageKey, sha256, fingerprint, sealedAt, auditHead, pdf } = report
  const rows = await sql`
    update audit_reports
    set storage_key = ${storageKey}, sha256 = ${sha256}, fingerprint = ${fingerprint}, sealed_at = ${sealedAt}, audit_seq = ${auditHead.seq},
      audit_hash = ${Buffer.from(auditHead.hash, 'hex')}, pdf = ${pdf}
    where org_id = ${orgId} and envelope_id = ${auditHead.envelopeId} and sha256 is null and state = 'WAITING'
    returning org_id`
  return rows.length > 0
}

/** A report that is recorded but not known to be stored. */
export async function findUnstoredReport(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<MadeReport | undefined> {
  const [row] = await sql<MadeReport[]>`
    select storage_key, sha256, pdf from audit_reports
    where org_id = ${orgId} and envelope_id = ${envelopeId} and state = 'WAITING' and pdf is not null`
  return row
}

/** The stored report of an envelope. */
export async function findStoredReport(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
): Promise<Omit<MadeReport, 'pdf'> | undefined> {
  const [row] = await sql<Omit<MadeReport, 'pdf'>[]>`
    select storage_key, sha256 from audit_reports where org_id = ${orgId} and envelope_id = ${envelopeId} and state = 'DONE'`
  return row
}
