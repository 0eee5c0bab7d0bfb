// Requests and responses of the signing ceremony. Spec, "Signing-ceremony endpoints".
import { LOCALES } from '#core/platform/text/locale.ts'
import { ChallengeId } from '#core/ids.ts'
import { MAX_VIEW_DURATION_MS } from '#core/limits.ts'
import { z } from 'zod'
import { DateTime, DownloadUrl, Int64, Uuid } from './scalars.ts'
import { text } from './text.ts'

/** A malformed token is an unknown link, so this schema accepts any. */
export const LinkPath = z.object({
  token: z
    .string()
    .describe('The signing token, 43 characters, from the response of sendEnvelope or the emailed link. Treat it as a secret.'),
})

const Code = text(64)

export const VerifyOtpBody = z
  .object({ challengeId: ChallengeId.describe('From `request-otp`.'), code: Code.describe('The six digits from the email.') })
  .meta({ id: 'VerifyOtpRequest' })

export const ViewClosedBody = z
  .object({
    durationMs: z
      .int()
      .min(0)
      .max(MAX_VIEW_DURATION_MS)
      .meta({ format: 'int64' })
      .nullish()
      .describe('How long the documents were on screen.'),
  })
  .meta({ id: 'ViewClosedRequest' })
  .optional()
  .transform((body) => body?.durationMs ?? undefined)

export const SignBody = z
  .object({
    signatureImage: z
      .string()
      .min(1, 'must not be empty')
      .describe(
        'A PNG in base64, with or without `data:image/png;base64,`; at most 512 KiB, 2,000 x 1,000 px, not animated, not empty.',
      ),
    challengeId: ChallengeId.nullish().describe('The challenge of `otpCode`, from `request-otp`.'),
    otpCode: Code.nullish().describe(
      'A code that was not verified with `verify-otp`; counts as a try. Ignored without `challengeId`.',
    ),
    language: z
      .enum(LOCALES)
      .nullish()
      .describe('The language of the `consent` that the signer read. By default the preferred one of `Accept-Language`.'),
  })
  .meta({ id: 'SignRequest' })

const points = z.number().describe('PDF points of the page as shown, from its lower left corner.')

const SealArea = z
  .object({
    page: z.int().min(1).describe('Counted from 1.'),
    x: points,
    y: points,
    width: points.describe('PDF points.'),
    height: points.describe('PDF points.'),
  })
  .meta({
    id: 'SealArea',
    description: "Where a seal of this signer will be: at the signer's marker, otherwise on the last page.",
  })

const ViewedDocument = z
  .object({
    id: Uuid,
    filename: z.string(),
    downloadUrl: DownloadUrl,
    pages: z.int().min(0).describe('Number of pages.'),
    markers: z
      .array(SealArea)
      .describe("Where this signer's seals will be. Empty where a certification of the document permits no visible seal."),
  })
  .meta({ id: 'ViewedDocument', description: 'A document for a signer to read.' })

const Consent = z
  .object({
    version: z.int().min(1).describe('A published sentence never changes; a new one has a new version.'),
    language: z.enum(LOCALES),
    text: z.string().describe('Names the signer and the number of documents.'),
  })
  .meta({ id: 'Consent', description: 'The sentence that the signer agrees to by signing.' })

export const SigningViewResponse = z
  .object({
    alreadySigned: z.boolean().describe('This signer has signed. Get the copy from `signed-documents`.'),
    envelopeId: Uuid,
    envelopeTitle: z.string(),
    organisationName: z.string().describe('The organisation that asks for the signature.'),
    message: z.string().nullable().describe('The message of the envelope to its signers. Plain text.'),
    expiresAt: DateTime.nullable().describe('Until when the link can be used to sign.'),
    requiresOtp: z.boolean().describe('A one-time code is required. `documents` is empty until it is verified.'),
    signerEmail: z.string(),
    signerName: z.string(),
    consent: Consent.nullable().describe(
      'What the signer agrees to by signing. Null while the documents are not shown, and after signing.',
    ),
    documents: z.array(ViewedDocument),
  })
  .meta({ id: 'SigningViewResponse', description: 'What a signer sees after opening the link.' })
export type SigningViewResponse = z.output<typeof SigningViewResponse>

export const OtpChallengeResponse = z
  .object({
    challengeId: Uuid.nullable().describe(
      'Pass it to `verify-otp`. Null while the last code is unusable and the cooldown is running.',
    ),
    codeUnusable: z.boolean().describe('The last code can no longer be used. Request a new one after the cooldown.'),
    expiresInSeconds: Int64,
    resendAvailableInSeconds: Int64,
    resent: z.boolean().describe('True if this call sent an email.'),
    message: z.string(),
  })
  .meta({ id: 'OtpChallengeResponse', description: 'The challenge that was just sent, or the current one.' })
export type OtpChallengeResponse = z.output<typeof OtpChallengeResponse>

export const OtpVerificationResponse = z
  .object({
    verified: z.boolean(),
    message: z.string(),
    triesLeft: z
      .int()
      .min(0)
      .optional()
      .describe('How many tries the code has left; 0 if it can no longer be used. Absent after a correct code.'),
  })
  .meta({ id: 'OtpVerificationResponse', description: 'Whether the code was correct.' })
export type OtpVerificationResponse = z.output<typeof OtpVerificationResponse>

export const SignResponse = z
  .object({
    completed: z.boolean().describe('True if this was the last signature.'),
    envelopeId: Uuid,
    message: z.string(),
    signedDocumentUrls: z
      .record(z.string(), DownloadUrl)
      .describe(
        'Maps document ids to presigned URLs of the sealed copies. Empty while other signers are pending, or if sealing takes longer than 3 s.',
      ),
  })
  .meta({ id: 'SignResponse', description: 'Result of signing.' })
export type SignResponse = z.output<typeof SignResponse>

const SignedDocument = z
  .object({ id: Uuid, filename: z.string(), signedDownloadUrl: DownloadUrl })
  .meta({ id: 'SignedDocument', description: 'A sealed copy.' })

export const SignedCopyResponse = z
  .object({
    archived: z.boolean().describe('True after the retention period; `documents` is then empty.'),
    envelopeId: Uuid,
    envelopeTitle: z.string(),
    signedDocumentsReady: z.boolean().describe('False while the documents are being sealed.'),
    signerName: z.string(),
    documents: z.array(SignedDocument),
  })
  .meta({ id: 'SignedCopyResponse', description: "The signer's own copy of the sealed documents." })
export type SignedCopyResponse = z.output<typeof SignedCopyResponse>
