// The wire shapes of envelopes and their signers. Spec, "Resources and their fields".
import type { Envelope } from '#core/envelope/get-envelope.ts'
import { DocumentId, EnvelopeId, OrgId, WorkspaceId } from '#core/ids.ts'
import { MAX_LINK_TTL_HOURS, MAX_MESSAGE_CHARACTERS, MAX_TITLE_CHARACTERS } from '#core/limits.ts'
import type { Signer } from '#core/signer/signer.ts'
import { z } from 'zod'
import { Email, Instant, SignerName, SignOrder, text } from './text.ts'

export const EnvelopePath = z.object({ id: EnvelopeId })

export const AddSignerBody = z.object({
  email: Email,
  name: SignerName,
  signOrder: SignOrder.nullish().transform((order) => order ?? undefined),
})

// Read by hand, as pairs: z.record and plain objects swallow a key named __proto__ before anyone could refuse it.
const LabelPairs = z
  .unknown()
  .optional()
  .transform((labels, context): (readonly [string, string])[] => {
    if (labels === undefined || labels === null) return []
    if (typeof labels !== 'object' || Array.isArray(labels)) {
      context.addIssue({ code: 'custom', message: 'must be an object of texts' })
      return z.NEVER
    }
    return Object.entries(labels).map(([key, value]) => {
      if (typeof value === 'string') return [key, value] as const
      context.addIssue({ code: 'custom', message: 'must hold texts only' })
      return [key, ''] as const
    })
  })

const DocumentIds = z
  .array(DocumentId)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a document twice')
  .nullish()
  .transform((ids) => ids ?? [])

export const CreateEnvelopeBody = z.object({
  title: text(MAX_TITLE_CHARACTERS),
  message: text(MAX_MESSAGE_CHARACTERS, 0).nullish(),
  signers: z
    .array(AddSignerBody)
    .nullish()
    .transform((signers) => signers ?? []),
  documentIds: DocumentIds,
  otpRequired: z.boolean().nullish(),
  sequentialSigning: z.boolean().nullish(),
  expiresAt: Instant.nullish(),
  linkTtlHours: z.int().min(1).max(MAX_LINK_TTL_HOURS).nullish(),
  labels: LabelPairs,
  workspaceId: WorkspaceId.nullish(),
  orgId: OrgId.nullish(),
})

export function toSignerResponse({ id, email, name, signOrder, status, signedAt }: Signer) {
  return { id, email, name, signOrder, status, signedAt: signedAt?.toISOString() ?? null }
}

export function toEnvelopeResponse(envelope: Envelope) {
  const { id, orgId, title, status, createdAt, createdBy, expiresAt, documentCount, labels, message } = envelope
  const { otpRequired, sequentialSigning, signers, workspaceId, workspaceName } = envelope
  return {
    id,
    orgId,
    title,
    status,
    createdAt: createdAt.toISOString(),
    createdBy,
    expiresAt: expiresAt?.toISOString() ?? null,
    documentCount,
    labels,
    message,
    otpRequired,
    sequentialSigning,
    signers: signers.map(toSignerResponse),
    workspaceId,
    workspaceName,
  }
}
