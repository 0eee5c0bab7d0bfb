// The SQL of envelopes: one statement per function, the owner's id first. Every change locks the envelope's row first.
// Triggers of `envelopes` keep its labels (envelope_labels_added, envelope_labels_changed, envelope_labels_removed, envelope_labels_updated), the counts
// by status (envelopes_counted, envelopes_recounted) and the title index (envelopes_folded, envelopes_titled, envelopes_retitled): core/schema/README.md.
import type { Caller } from '#core/context.ts'
import type { EnvelopeId, OrgId, WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Permission } from '#core/account/workspace/rules.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import type { Labels } from './labels.ts'
import type { EnvelopeStatus } from './rules.ts'

export interface EnvelopeRow {
  id: EnvelopeId
  workspaceId: WorkspaceId
  title: string
  status: EnvelopeStatus
  createdAt: Date
  expiresAt: Date | null
  otpRequired: boolean
  sequentialSigning: boolean
}

export interface LockedEnvelope extends EnvelopeRow {
  linkTtlSeconds: number
  /** When it expires automatically; null: never. */
  lapsesAt: Date | null
  sentAt: Date | null
  /** The start of this transaction by the database clock. */
  now: Date
}

/** An envelope with what tells its signers who sent it. */
export interface RequestedEnvelope extends LockedEnvelope {
  organisationName: string
  message: string | null
}

export interface ReadableEnvelope extends EnvelopeRow {
  workspaceName: string
  message: string | null
  createdBy: string | null
  labels: Labels
  documentCount: number
  permissions: Permission[]
}

export interface NewEnvelope {
  id: EnvelopeId
  workspaceId: WorkspaceId
  title: string
  message: string | null
  otpRequired: boolean
  sequentialSigning: boolean
  linkTtlSeconds: number
  /** Its lifetime as an unchanged draft. */
  draftTtlSeconds: number
  expiresAt: Date | null
  labels: Labels
  createdBy: string
}

export async function insertEnvelope(sql: Sql, orgId: OrgId, envelope: NewEnvelope): Promise<void> {
  await sql`
    insert into envelopes (org_id, id, workspace_id, title, message, otp_required, sequential_signing, link_ttl_seconds, expires_at, lapses_at,
      drops_at, labels, created_by)
    values (${orgId}, ${envelope.id}, ${envelope.workspaceId}, ${envelope.title}, ${envelope.message}, ${envelope.otpRequired},
      ${envelope.sequentialSigning}, ${envelope.linkTtlSeconds}, ${envelope.expiresAt}, ${envelope.expiresAt},
      sealwright_now() + make_interval(secs => ${envelope.draftTtlSeconds}), ${sql.json(envelope.labels)}, ${envelope.createdBy})`
}

/** Locks the row until the transaction ends. The status is the one a reader sees: an envelope past its expiry is EXPIRED. */
export async function lockEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<LockedEnvelope | undefined> {
  const [row] = await sql<LockedEnvelope[]>`${selectEnvelope(sql, orgId, id)} for update`
  return row
}

/** Locks an envelope and reads the caller's permissions in its workspace; undefined, and not locked, without a role on it. */
export async function lockReadableEnvelope(
  sql: Sql,
  caller: Caller,
  id: EnvelopeId,
): Promise<(LockedEnvelope & { permissions: Permission[] }) | undefined> {
  const [row] = await sql<(LockedEnvelope & { permissions: Permission[] })[]>`
    select ${lockedColumns(sql)}, g.permissions
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    where e.org_id = ${caller.orgId} and e.id = ${id}
    for update of e`
  return row
}

/** The envelope without a lock or a check of the caller. */
export async function findEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<LockedEnvelope | undefined> {
  const [row] = await sql<LockedEnvelope[]>`${selectEnvelope(sql, orgId, id)}`
  return row
}

/** Reads an envelope for its signers, whose link is their right to it. */
export async function findRequestedEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<RequestedEnvelope | undefined> {
  const [row] = await sql<RequestedEnvelope[]>`
    select ${lockedColumns(sql)}, e.message, o.name as organisation_name
    from envelopes e
    join organisations o on o.id = e.org_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row
}

function selectEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId) {
  return sql`select ${lockedColumns(sql)} from envelopes e where e.org_id = ${orgId} and e.id = ${id}`
}

/** The columns of a LockedEnvelope, from envelopes `e`. */
function lockedColumns(sql: Sql) {
  return sql`
    e.id, e.workspace_id, e.title, shown_status(e.status, e.lapses_at) as status, e.created_at, e.expires_at, e.otp_required,
    e.sequential_signing, e.link_ttl_seconds, e.lapses_at, e.sent_at, sealwright_now() as now`
}

/** The envelope as the caller may read it; undefined without a role on its workspace. */
export async function findReadableEnvelope(sql: Sql, caller: Caller, id: EnvelopeId): Promise<ReadableEnvelope | undefined> {
  const [row] = await sql<ReadableEnvelope[]>`
    select e.id, e.workspace_id, w.name as workspace_name, e.title, e.message, shown_status(e.status, e.lapses_at) as status, e.created_at,
      e.created_by, e.expires_at, e.otp_required, e.sequential_signing, e.labels, g.permissions,
      (select count(*)::int from documents d where d.org_id = e.org_id and d.envelope_id = e.id) as document_count
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    join workspaces w on w.org_id = e.org_id and w.id = e.workspace_id
    where e.org_id = ${caller.orgId} and e.id = ${id}`
  return row
}

/** Writes the status and, unless absent, when the envelope lapses; sent_at and ended_at follow from the status. The caller holds the lock and has checked
 *  the rules. */
export async function setEnvelopeStatus(
  sql: Sql,
  orgId: OrgId,
  id: EnvelopeId,
  status: EnvelopeStatus,
  lapsesAt?: Date | null,
): Promise<void> {
  await sql`
    update envelopes
    set status = ${status},
      ${lapsesAt === undefined ? sql`` : sql`lapses_at = ${lapsesAt},`}
      drops_at = case when ${status} = 'DRAFT' then drops_at end,
      sent_at = case when ${status} = 'SENT' then sealwright_now() else sent_at end,
      ended_at = case when ${status} in ('COMPLETED', 'CANCELLED', 'EXPIRED') then sealwright_now() end
    where org_id = ${orgId} and id = ${id}`
}

export async function setLapsesAt(sql: Sql, orgId: OrgId, id: EnvelopeId, lapsesAt: Date | null): Promise<void> {
  await sql`update envelopes set lapses_at = ${lapsesAt} where org_id = ${orgId} and id = ${id}`
}

/** Expired envelopes, oldest first, locked; skips rows that another sweep or a signer has locked, and drafts whose lifetime ended before they could
 *  expire. */
export async function lockLapsed(
  sql: Sql,
  most: number,
  passedOver: readonly string[],
): Promise<{ orgId: OrgId; id: EnvelopeId }[]> {
  return sql<{ orgId: OrgId; id: EnvelopeId }[]>`
    select org_id, id
    from envelopes
    where status in ('DRAFT', 'SENT', 'IN_PROGRESS') and lapses_at <= sealwright_now() and (drops_at is null or lapses_at <= drops_at)
      and id <> all(${sql.array([...passedOver])}::uuid[])
    order by lapses_at
    limit ${most}
    for update skip locked`
}

/** With its signers and documents; the caller holds the lock and has checked that it is a draft. */
export async function deleteEnvelope(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<void> {
  await sql`delete from envelopes where org_id = ${orgId} and id = ${id}`
}
