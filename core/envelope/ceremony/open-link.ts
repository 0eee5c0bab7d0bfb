// What a signer sees behind the emailed link. It changes nothing, because mail scanners fetch links too.
import type { Locale } from '#core/platform/text/locale.ts'
import type { Core } from '#core/context.ts'
import { findSeals, type SealArea, type StoredSeal } from '#core/pdf/placement/seal-places.ts'
import { presignOriginal } from '#core/envelope/document/presign-document.ts'
import { type DocumentPlaces, selectInspection, selectSealPlaces } from '#core/envelope/document/store.ts'
import type { DocumentId, EnvelopeId, OrgId } from '#core/ids.ts'
import { queryInOrganisation } from '#core/platform/postgres/client.ts'
import { type Consent, CONSENT_VERSION, consentSentence } from './consent.ts'
import { ownerOf } from './with-signing-link.ts'
import type { LinkOwner } from './link-store.ts'
import { readSigningLink } from './read-signing-link.ts'
import { assertReadable, hasOtpPermission } from './rules.ts'

export interface SigningView {
  alreadySigned: boolean
  envelopeId: EnvelopeId
  envelopeTitle: string
  organisationName: string
  message: string | null
  /** When the link can no longer be used to sign. */
  expiresAt: string | null
  requiresOtp: boolean
  signerEmail: string
  signerName: string
  /** What the signer agrees to by signing; null while the documents are not shown, and after signing. */
  consent: (Consent & { text: string }) | null
  documents: ViewedDocument[]
}

export interface ViewedDocument extends Pages {
  id: DocumentId
  filename: string
  downloadUrl: string
}

interface Pages {
  /** Number of pages. */
  pages: number
  /** Where the signer's seals will be. */
  markers: SealArea[]
}

/** Documents are shown once no code is required, and until the end of their retention. Throws SIGNING_LINK_NOT_FOUND for any link that cannot be opened. */
export async function openLink(core: Core, token: string, language: Locale): Promise<SigningView> {
  const owner = await ownerOf(core, token)
  const { envelope, link, documents, retention } = await readSigningLink(core, owner)
  assertReadable(link, envelope)
  const alreadySigned = link.signerStatus === 'SIGNED'
  const shown = hasOtpPermission(link, envelope)
  const isReadable = shown && !retention.archived
  const pages = isReadable ? await readPages(core, owner, link.signOrder) : new Map<DocumentId, Pages>()
  const until = { now: envelope.now, endsInSeconds: retention.endsInSeconds }
  return {
    alreadySigned,
    envelopeId: envelope.id,
    envelopeTitle: envelope.title,
    organisationName: envelope.organisationName,
    message: envelope.message,
    expiresAt: link.expiresAt?.toISOString() ?? null,
    requiresOtp: !alreadySigned && !shown,
    signerEmail: link.email,
    signerName: link.name,
    consent: isReadable && !alreadySigned ? currentConsent(language, link.name, documents.length) : null,
    documents: await Promise.all(
      (isReadable ? documents : []).map(async (document) => ({
        id: document.id,
        filename: document.filename,
        downloadUrl: await presignOriginal(core, document, until),
        ...(pages.get(document.id) ?? { pages: 0, markers: [] }),
      })),
    ),
  }
}

function currentConsent(language: Locale, signerName: string, documentCount: number): SigningView['consent'] {
  const consent = { version: CONSENT_VERSION, language }
  const text = consentSentence(consent, signerName, documentCount)
  return text === undefined ? null : { ...consent, text }
}

/** Documents and signers of a sent envelope do not change, so this needs no common snapshot with the link. */
async function readPages(core: Core, { orgId, envelopeId }: LinkOwner, signOrder: number): Promise<Map<DocumentId, Pages>> {
  const documents = await queryInOrganisation(core.database, orgId, (sql) => selectSealPlaces(sql, orgId, envelopeId))
  const pages = documents.map(async (document) => {
    const { sealPlaces, signOrders } = document
    const seals = findSeals(sealPlaces, signOrders) ?? (await placeOnThread(core, orgId, document))
    const markers = seals.filter(({ form }) => signOrders[form] === signOrder).map(({ area }) => area)
    return [document.id, { pages: sealPlaces.pageCount, markers }] as const
  })
  return new Map(await Promise.all(pages))
}

/** For an unusual set of signers. The search for room can take a second, too long for the event loop. */
async function placeOnThread(
  { database, threads }: Core,
  orgId: OrgId,
  { id, signOrders }: DocumentPlaces,
): Promise<StoredSeal[]> {
  const [document] = await queryInOrganisation(database, orgId, (sql) => selectInspection(sql, orgId, id))
  return document ? threads.drawing.place({ ...document.inspection, ink: document.pageInk }, signOrders, orgId) : []
}
