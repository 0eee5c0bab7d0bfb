// The signer's own copy, opened with the signing link once the envelope is complete.
import type { Core } from '#core/context.ts'
import { presignSealed } from '#core/envelope/document/presign-document.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import { ownerOf } from './with-signing-link.ts'
import type { LinkOwner } from './link-store.ts'
import { readSigningLink } from './read-signing-link.ts'

export interface SignedCopy {
  archived: boolean
  envelopeId: EnvelopeId
  envelopeTitle: string
  signedDocumentsReady: boolean
  signerName: string
  documents: { id: DocumentId; filename: string; signedDownloadUrl: string }[]
}

/** Not ready and empty while sealing runs; archived and empty after the retention time. Throws SIGNING_LINK_NOT_FOUND, SIGNED_COPY_NOT_AVAILABLE. */
export async function getSignedCopy(core: Core, token: string): Promise<SignedCopy> {
  return readSignedCopy(core, await ownerOf(core, token))
}

/** Reads the signed copy for a link that was checked. */
export async function readSignedCopy(core: Core, owner: LinkOwner): Promise<SignedCopy> {
  const { envelope, link, documents, retention } = await readSigningLink(core, owner)
  if (link.usedAt === null || envelope.status !== 'COMPLETED') throw new DomainError('SIGNED_COPY_NOT_AVAILABLE')
  const until = { now: envelope.now, endsInSeconds: retention.endsInSeconds }
  const copies = await Promise.all(
    (retention.archived ? [] : documents).map(async (document) => ({
      id: document.id,
      filename: document.filename,
      signedDownloadUrl: await presignSealed(core, document, until),
    })),
  )
  const sealed = copies.flatMap(({ signedDownloadUrl, ...copy }) => (signedDownloadUrl ? [{ ...copy, signedDownloadUrl }] : []))
  const signedDocumentsReady = !retention.archived && sealed.length === documents.length
  return {
    archived: retention.archived,
    envelopeId: envelope.id,
    envelopeTitle: envelope.title,
    signedDocumentsReady,
    signerName: link.name,
    documents: signedDocumentsReady ? sealed : [],
  }
}
