// The strict check of a sealed PDF: our seal is the last thing in the file and covers every byte of it. A valid CMS is not enough, because
// a forger adds bytes outside its byte range.
import { PdfError } from '#core/pdf/pdf-error.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { DerError } from './read-der.ts'
import { digestMatches, maySign, signatureMatches } from './verify/check-signature.ts'
import { findSeal } from './verify/find-seal.ts'
import { messageFor } from './verify/messages.ts'
import { buildChain } from './verify/build-chain.ts'
import { hasItsForm } from './verify/seal-form.ts'
import { readCms } from './verify/read-cms.ts'
import { isInDate, isTrusted } from './verify/trust.ts'
import { type Verdict, type VerifiedSignature, VerifyError, type VerifyReason } from './verify/verdict.ts'

export interface VerifyOptions {
  /** The time of the check, by a clock that the caller trusts. Without it, a signing time in the future is not noticed. */
  readonly now?: Date
  /** DER: certificates that may issue seal certificates, or seal certificates themselves. Without it, trust is not checked. */
  readonly trust?: readonly Buffer[]
  /** From when on seals with this certificate (DER) are not proof; null for a safe key. */
  readonly compromisedFrom?: (certificate: Buffer) => Date | null
}

/**
 * Verifies a file. Any bytes give a verdict; throws only for an unreadable certificate in `trust`. Certificate dates are checked at the
 * signing time that the file itself states in `/M`.
 */
export function verifyPdf(bytes: Buffer, options: VerifyOptions): Verdict {
  const trust = options.trust?.map(readAnchor)
  try {
    return checkSeal(bytes, trust, options)
  } catch (error) {
    return verdict([reasonOf(error)], trust === undefined ? null : false)
  }
}

/** How far the clocks of sealer and verifier may be apart. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000

/** A sealing thread verifies with the same certificate every time. */
const anchors = new WeakMap<Buffer, Certificate>()

function readAnchor(bytes: Buffer): Certificate {
  const anchor = anchors.get(bytes) ?? readCertificate(bytes)
  anchors.set(bytes, anchor)
  return anchor
}

function checkSeal(bytes: Buffer, trust: readonly Certificate[] | undefined, { now, compromisedFrom }: VerifyOptions): Verdict {
  const { byteRange, cms: encoded, format, ...claims } = findSeal(bytes)
  const { signedAt } = claims
  const cms = readCms(encoded)
  const chain = buildChain(cms)
  const { signer, signerKey, description: certificate } = chain
  const trusted = trust === undefined ? null : isTrusted(chain, trust, signedAt)
  const compromised = compromisedFrom?.(signer.der) ?? null
  const isSigned = signatureMatches(signerKey, cms)
  const checks: readonly [VerifyReason, boolean][] = [
    ['DIGEST_MISMATCH', !digestMatches(bytes, byteRange, cms)],
    ['SIGNATURE_INVALID', !isSigned],
    ['SIGNATURE_REWRITTEN', isSigned && !hasItsForm({ format, cms: encoded }, cms, chain)],
    ['SIGNING_TIME_IN_FUTURE', now !== undefined && signedAt.getTime() - now.getTime() > CLOCK_TOLERANCE_MS],
    ['CERTIFICATE_NOT_IN_DATE', !isInDate(signer, signedAt)],
    ['KEY_USAGE_MISMATCH', !maySign(signer)],
    ['UNTRUSTED', trusted === false],
    ['KEY_COMPROMISED', compromised !== null && signedAt >= compromised],
  ]
  const reasons = checks.flatMap(([reason, failed]) => (failed ? [reason] : []))
  return verdict(reasons, trusted, { ...claims, byteRange, certificate })
}

/** Any other error is a bug and is rethrown. */
function reasonOf(error: unknown): VerifyReason {
  if (error instanceof VerifyError) return error.reason
  if (error instanceof PdfError) return 'NOT_A_PDF'
  if (error instanceof DerError) return 'CMS_MALFORMED'
  throw error
}

function verdict(reasons: readonly VerifyReason[], trusted: boolean | null, signature?: VerifiedSignature): Verdict {
  const answer = { valid: reasons.length === 0, reasons, message: messageFor(reasons, trusted), trusted }
  return signature === undefined ? answer : { ...answer, signature }
}
