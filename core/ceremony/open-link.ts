// What a signer sees behind the mailed link. It has no effect: mail scanners fetch links too.
import type { Core } from '#core/context.ts'
import { presignOriginal } from '#core/document/presign-document.ts'
import { listDocuments } from '#core/document/store.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import { enter } from './enter.ts'
import { assertReadable, hasOtpPermission } from './rules.ts'

export interface SigningView {
  alreadySigned: boolean
  envelopeId: EnvelopeId
  envelopeTitle: string
  requiresOtp: boolean
  signerEmail: string
  signerName: string
  documents: { id: DocumentId; filename: string; downloadUrl: string }[]
}

/** Documents are shown once no code is owed. Throws SIGNING_LINK_NOT_FOUND for whatever cannot be opened. */
export async function openLink(core: Core, token: string): Promise<SigningView> {
  const { envelope, link, documents } = await enter(core, token, { lock: false }, async ({ sql, orgId, envelope, link }) => {
    assertReadable(link, envelope)
    return { envelope, link, documents: await listDocuments(sql, orgId, envelope.id) }
  })
  const alreadySigned = link.signerStatus === 'SIGNED'
  const shown = hasOtpPermission(link, envelope)
  return {
    alreadySigned,
    envelopeId: envelope.id,
    envelopeTitle: envelope.title,
    requiresOtp: !alreadySigned && !shown,
    signerEmail: link.email,
    signerName: link.name,
    documents: await Promise.all(
      (shown ? documents : []).map(async (document) => ({
        id: document.id,
        filename: document.filename,
        downloadUrl: await presignOriginal(core, document, envelope.now),
      })),
    ),
  }
}
