// Envelopes, as answers hold them.
import type { Envelope } from '#core/envelope/get-envelope.ts'
import type { EnvelopePage } from '#core/envelope/list-envelopes.ts'
import type { EnvelopeResponse, PagedEnvelopeResponse } from '../schemas/envelope.ts'
import { toSignerResponse } from './signer.ts'

export function toEnvelopeResponse(envelope: Envelope): EnvelopeResponse {
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
    labels: { ...labels },
    message,
    otpRequired,
    sequentialSigning,
    signers: signers.map(toSignerResponse),
    workspaceId,
    workspaceName,
  }
}

export function toPagedEnvelopeResponse({ content, ...page }: EnvelopePage): PagedEnvelopeResponse {
  return { content: content.map(toEnvelopeResponse), ...page }
}
