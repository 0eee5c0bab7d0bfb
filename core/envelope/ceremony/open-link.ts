// What a signer sees behind the emailed link. It changes nothing, because mail scanners fetch links too.
import type { Core } from '#core/context.ts'
import { presignOriginal } from '#core/envelope/document/presign-document.ts'
import type { DocumentId, EnvelopeId } from '#core/ids.ts'
import { ownerOf } from './with-signing-link.ts'
import { readSigningLink } from './read-signing-link.ts'
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

/** Documents are shown once no code is required, and until the end of their retention. Throws SIGNING_LINK_NOT_FOUND for any link that cannot be opened. */
export async function openLink(core: Core, token: string): Promise<SigningView> {
  const { envelope, link, documents, retention } = await readSigningLink(core, await ownerOf(core, token))
  assertReadable(link, envelope)
  const alreadySigned = link.signerStatus === 'SIGNED'
  const shown = hasOtpPermission(link, envelope)
  const until = { now: envelope.now, endsInSeconds: retention.endsInSeconds }
  return {
    alreadySigned,
    envelopeId: envelope.id,
    envelopeTitle: envelope.title,
    requiresOtp: !alreadySigned && !shown,
    signerEmail: link.email,
    signerName: link.name,
    documents: await Promise.all(
      (shown && !retention.archived ? documents : []).map(async (document) => ({
        id: document.id,
        filename: document.filename,
        downloadUrl: await presignOriginal(core, document, until),
      })),
    ),
  }
}
