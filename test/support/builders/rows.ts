// Inserts rows as the stores write them, for SQL tests that need many rows or a certain state. Needs a pool of the system role.
import { randomBytes, randomUUID } from 'node:crypto'
import { insertLinks } from '#core/envelope/ceremony/link-store.ts'
import { originalKey } from '#core/envelope/document/rules.ts'
import { attachDocuments, insertDocument, markStored } from '#core/envelope/document/store.ts'
import { insertEnvelope, type NewEnvelope } from '#core/envelope/store.ts'
import { DocumentId, EnvelopeId, newId, OrgId, SignerId, WorkspaceId } from '#core/ids.ts'
import { insertMails, type NewMail } from '#core/mail/store.ts'
import { insertOrganisation } from '#core/account/organisation/store.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { insertSigners } from '#core/envelope/signer/store.ts'
import { insertGeneralWorkspace } from '#core/account/workspace/store.ts'

export interface Organisation {
  orgId: OrgId
  workspaceId: WorkspaceId
}

export async function anOrganisation(sql: Sql): Promise<Organisation> {
  const organisation = { orgId: newId(OrgId), workspaceId: newId(WorkspaceId) }
  await insertOrganisation(sql, organisation.orgId, 'Test organisation')
  await insertGeneralWorkspace(sql, organisation.orgId, organisation.workspaceId)
  return organisation
}

/** The organisation's usage. */
export async function usageOf(
  sql: Sql,
  { orgId }: Pick<Organisation, 'orgId'>,
): Promise<{ storageBytes: number; openEnvelopes: number }> {
  const [row] = await sql<{ storageBytes: number; openEnvelopes: number }[]>`
    select storage_bytes, open_envelopes from organisations where id = ${orgId}`
  return { ...row! }
}

/** A draft, counted as open. */
export async function aDraftRow(
  sql: Sql,
  { orgId, workspaceId }: Organisation,
  overrides: Partial<NewEnvelope> = {},
): Promise<EnvelopeId> {
  const id = newId(EnvelopeId)
  await insertEnvelope(sql, orgId, {
    id,
    workspaceId,
    title: 'Lease',
    message: null,
    otpRequired: false,
    sequentialSigning: false,
    linkTtlSeconds: 3_600,
    draftTtlSeconds: 30 * 86_400,
    expiresAt: null,
    labels: {},
    createdBy: 'test',
    ...overrides,
  })
  await sql`update organisations set open_envelopes = open_envelopes + 1 where id = ${orgId}`
  return id
}

/** A signer with a link and an email; `mail` overrides the defaults of a pending signing link. */
export async function aMailRow(
  sql: Sql,
  { orgId }: Organisation,
  envelopeId: EnvelopeId,
  mail: Partial<NewMail> = {},
): Promise<string> {
  const signerId = newId(SignerId)
  const [row] = await sql<{ next: number }[]>`select count(*)::int + 1 as next from signers where envelope_id = ${envelopeId}`
  await insertSigners(sql, orgId, envelopeId, [{ id: signerId, email: 'ada@example.test', name: 'Ada', signOrder: row!.next }])
  await insertLinks(sql, orgId, [{ signerId, envelopeId, tokenHash: randomBytes(32), releasedAt: null, expiresAt: null }])
  const id = randomUUID()
  const waiting = { template: 'SIGNING_LINK', secretBox: Buffer.from('box'), state: 'WAITING' } as const
  await insertMails(sql, orgId, [{ id, envelopeId, signerId, ...waiting, ...mail }])
  return id
}

export interface UploadOverrides {
  sizeBytes?: number
  /** False: the row of an upload whose bytes never arrived. */
  stored?: boolean
  attachedTo?: EnvelopeId
}

/** An upload, counted as used storage; the test provides the bytes itself. */
export async function anUploadRow(
  sql: Sql,
  { orgId }: Organisation,
  { sizeBytes = 100, stored = true, attachedTo }: UploadOverrides = {},
): Promise<DocumentId> {
  const id = newId(DocumentId)
  const file = { filename: 'Lease.pdf', sizeBytes, sha256: randomBytes(32), storageKey: originalKey(orgId, id) }
  // The inspection's result matters only for sealing.
  await insertDocument(sql, orgId, {
    id,
    ...file,
    inspection: { places: {}, ink: [] } as unknown as Inspection,
    normalisation: null,
    createdBy: 'test',
  })
  await sql`update organisations set storage_bytes = storage_bytes + ${sizeBytes} where id = ${orgId}`
  if (stored) await markStored(sql, orgId, id)
  if (attachedTo) await attachDocuments(sql, orgId, attachedTo, [id], 0)
  return id
}
