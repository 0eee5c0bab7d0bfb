// The signer's own copy, behind the link with which they signed, once the envelope is complete.
import type { Core } from '#core/context.ts'
import { presignSealed } from '#core/document/presign-document.ts'
import { listDocuments } from '#core/document/store.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import { enter } from './enter.ts'

export interface SignedCopy {
  archived: boolean
  envelopeId: EnvelopeId
  envelopeTitle: string
  signedDocumentsReady: boolean
  signerName: string
  documents: { id: DocumentId; filename: string; signedDownloadUrl: string }[]
}

/** Not ready and empty while sealing runs. Throws SIGNING_LINK_NOT_FOUND, SIGNED_COPY_NOT_AVAILABLE. */
export async function getSignedCopy(core: Core, token: string): Promise<SignedCopy> {
  const { envelope, link, documents } = await enter(core, token, { lock: false }, async ({ sql, orgId, envelope, link }) => {
    if (link.usedAt === null || envelope.status !== 'COMPLETED') throw new DomainError('SIGNED_COPY_NOT_AVAILABLE')
    return { envelope, link, documents: await listDocuments(sql, orgId, envelope.id) }
  })
  const copies = await Promise.all(
    documents.map(async (document) => ({
      id: document.id,
      filename: document.filename,
      signedDownloadUrl: await presignSealed(core, document, envelope.now),
    })),
  )
  const sealed = copies.flatMap(({ signedDownloadUrl, ...copy }) => (signedDownloadUrl ? [{ ...copy, signedDownloadUrl }] : []))
  const signedDocumentsReady = sealed.length === documents.length
  return {
    archived: false,
    envelopeId: envelope.id,
    envelopeTitle: envelope.title,
    signedDocumentsReady,
    signerName: link.name,
    documents: signedDocumentsReady ? sealed : [],
  }
}
