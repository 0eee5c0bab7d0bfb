// Creates a draft with its signers and, optionally, earlier uploads.
import { appendAudit, type AuditEntry, byCaller, creatorOf, newChain } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { assertAttachable, attachedEntries, attachUploads } from '#core/envelope/document/attach-uploads.ts'
import { type LockedUpload, lockUploads } from '#core/envelope/document/store.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type DocumentId, EnvelopeId, newId, SignerId, type WorkspaceId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { reserveOpenEnvelope } from '#core/account/quota/reserve.ts'
import { withOrders } from '#core/envelope/signer/rules.ts'
import { insertSigners } from '#core/envelope/signer/store.ts'
import { findWorkspaceToFill } from './assert-may-create.ts'
import { type Envelope, readEnvelope } from './get-envelope.ts'
import { checkLabels } from './labels.ts'
import { assertDocumentCount, assertExpiryInRange, assertSignerCount } from './rules.ts'
import { insertEnvelope, type NewEnvelope } from './store.ts'

export interface EnvelopeInput {
  title: string
  message?: string | undefined
  signers: readonly { email: string; name: string; signOrder?: number | undefined }[]
  documentIds: readonly DocumentId[]
  otpRequired: boolean
  sequentialSigning: boolean
  expiresAt?: Date | undefined
  linkTtlHours?: number | undefined
  labels: readonly (readonly [string, string])[]
  workspaceId?: WorkspaceId | undefined
}

/** Throws WORKSPACE_NOT_FOUND, NO_SIGNERS, TOO_MANY_SIGNERS, DUPLICATE_SIGN_ORDER, EXPIRY_OUT_OF_RANGE, LABELS_INVALID, TOO_MANY_DOCUMENTS,
 *  DOCUMENT_NOT_FOUND, DOCUMENT_ALREADY_ATTACHED, QUOTA_EXCEEDED; then nothing was created. */
export async function createEnvelope(core: Core, caller: Caller, input: EnvelopeInput): Promise<Envelope> {
  if (input.signers.length === 0) throw new DomainError('NO_SIGNERS')
  assertSignerCount(input.signers.length)
  assertDocumentCount(input.documentIds.length)
  const signers = withOrders(input.signers).map((signer) => ({ ...signer, id: newId(SignerId) }))
  const labels = checkLabels(input.labels)
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const { workspaceId, now, documents } = await assertCreatable(sql, core, caller, input)
    const envelope = { ...toNewEnvelope(input, core.settings), workspaceId, labels, createdBy: creatorOf(caller) }
    const { id } = envelope
    const created: AuditEntry = { ...byCaller(caller), action: 'envelope.created', detail: { signers: signers.length } }
    reserveOpenEnvelope(sql, orgId, core.settings)
    const [, , , , whole] = await Promise.all([
      insertEnvelope(sql, orgId, envelope),
      insertSigners(sql, orgId, id, signers),
      attachUploads(sql, orgId, id, input.documentIds),
      appendAudit(sql, core.keys, orgId, id, newChain(now), created, ...attachedEntries(caller, documents)),
      // Read instead of assembled here, so that a GET returns the same.
      readEnvelope(sql, caller, id),
    ])
    return whole
  })
}

/** The workspace where the caller can create, the database's time, and the locked documents in the order of the request. */
async function assertCreatable(
  sql: Sql,
  { settings }: Core,
  caller: Caller,
  { workspaceId, documentIds, expiresAt }: EnvelopeInput,
): Promise<{ workspaceId: WorkspaceId; now: string; documents: LockedUpload[] }> {
  const [workspace, uploads] = await Promise.all([
    findWorkspaceToFill(sql, caller, workspaceId),
    lockUploads(sql, caller.orgId, documentIds, settings.unattachedUploadTtlSeconds),
  ])
  if (expiresAt) assertExpiryInRange(expiresAt, new Date(workspace.now), settings.envelopeMinExpirySeconds)
  await assertAttachable(sql, caller, documentIds, uploads)
  const documents = documentIds.flatMap((id) => uploads.find((upload) => upload.id === id) ?? [])
  return { workspaceId: workspace.id, now: workspace.now, documents }
}

function toNewEnvelope(
  input: EnvelopeInput,
  settings: Core['settings'],
): Omit<NewEnvelope, 'workspaceId' | 'labels' | 'createdBy'> {
  return {
    id: newId(EnvelopeId),
    title: input.title,
    message: input.message ?? null,
    otpRequired: input.otpRequired,
    sequentialSigning: input.sequentialSigning,
    linkTtlSeconds: input.linkTtlHours ? input.linkTtlHours * 3_600 : settings.signingLinkTtlSeconds,
    draftTtlSeconds: settings.draftTtlSeconds,
    expiresAt: input.expiresAt ?? null,
  }
}
