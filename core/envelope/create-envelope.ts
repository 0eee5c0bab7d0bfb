// A new draft with its signers and, where named, documents uploaded before.
import { byCaller, creatorOf, recordAudit } from '#core/audit/record-audit.ts'
import type { Caller, Core } from '#core/context.ts'
import { attachUploads } from '#core/document/attach-uploads.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { type DocumentId, EnvelopeId, newId, SignerId, type WorkspaceId } from '#core/ids.ts'
import { inOrganisation, type Sql } from '#core/postgres/client.ts'
import { databaseNow } from '#core/postgres/now.ts'
import { reserveOpenEnvelope } from '#core/quota/reserve.ts'
import { withOrders } from '#core/signer/rules.ts'
import { insertSigners } from '#core/signer/store.ts'
import { findRole, findGeneralWorkspace } from '#core/workspace/store.ts'
import { holds } from '#core/workspace/rules.ts'
import { type Envelope, readEnvelope } from './get-envelope.ts'
import { checkLabels } from './labels.ts'
import { assertDocumentCount, assertExpiryInRange, assertSignerCount } from './rules.ts'
import { insertEnvelope } from './store.ts'

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
 *  DOCUMENT_NOT_FOUND, DOCUMENT_ALREADY_ATTACHED, QUOTA_EXCEEDED; then nothing has been created. */
export async function createEnvelope(core: Core, caller: Caller, input: EnvelopeInput): Promise<Envelope> {
  if (input.signers.length === 0) throw new DomainError('NO_SIGNERS')
  assertSignerCount(input.signers.length)
  assertDocumentCount(input.documentIds.length)
  const signers = withOrders(input.signers).map((signer) => ({ ...signer, id: newId(SignerId) }))
  const labels = checkLabels(input.labels)
  return inOrganisation(core.database, caller.orgId, async (sql) => {
    const workspaceId = await creatableWorkspace(sql, caller, input.workspaceId)
    if (input.expiresAt) assertExpiryInRange(input.expiresAt, await databaseNow(sql), core.settings.envelopeMinExpirySeconds)
    const id = newId(EnvelopeId)
    await insertEnvelope(sql, caller.orgId, {
      id,
      workspaceId,
      title: input.title,
      message: input.message ?? null,
      otpRequired: input.otpRequired,
      sequentialSigning: input.sequentialSigning,
      linkTtlSeconds: input.linkTtlHours ? input.linkTtlHours * 3_600 : core.settings.signingLinkTtlSeconds,
      draftTtlSeconds: core.settings.draftTtlSeconds,
      expiresAt: input.expiresAt ?? null,
      labels,
      createdBy: creatorOf(caller),
    })
    await insertSigners(sql, caller.orgId, id, signers)
    await recordAudit(sql, core.keys, caller.orgId, id, {
      ...byCaller(caller),
      action: 'envelope.created',
      detail: { signers: signers.length },
    })
    await attachUploads(sql, core, caller, id, input.documentIds)
    await reserveOpenEnvelope(sql, caller.orgId, core.settings)
    return readEnvelope(sql, caller, id)
  })
}

/** A workspace where the caller cannot create is not found, whether it exists or not. Spec, notes on createEnvelope. */
async function creatableWorkspace(sql: Sql, caller: Caller, wanted: WorkspaceId | undefined): Promise<WorkspaceId> {
  const id = wanted ?? (await findGeneralWorkspace(sql, caller.orgId))
  const role = id && (await findRole(sql, caller, id))
  if (!id || !role || !holds(role, 'envelope:create')) throw new DomainError('WORKSPACE_NOT_FOUND')
  return id
}
