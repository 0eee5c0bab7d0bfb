// The strict check of a sealed PDF: our seal is the last thing written into the file and covers every byte of it. A CMS that verifies
// is not enough, because what stands outside of its byte range is what a forger adds.
import { PdfError } from '#core/pdf/pdf-fault.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { DerError } from './read-der.ts'
import { digestMatches, maySign, signatureMatches } from './verify/check-signature.ts'
import { findSeal } from './verify/find-seal.ts'
import { messageFor } from './verify/messages.ts'
import { buildChain } from './verify/build-chain.ts'
import { readCms } from './verify/read-cms.ts'
import { isInDate, isTrusted } from './verify/trust.ts'
import { type Verdict, type VerifiedSignature, VerifyError, type VerifyReason } from './verify/verdict.ts'

export interface VerifyOptions {
  /** DER: certificates that may issue seal certificates, or seal certificates themselves. Left out, nobody is asked to be trusted. */
  readonly trust?: readonly Buffer[]
  /** From when on seals made with this certificate (DER) prove nothing; null for one whose key is safe. */
  readonly compromisedFrom?: (certificate: Buffer) => Date | null
}

/**
 * Judges a file. Whatever its bytes are, the answer is a verdict; only a certificate in `trust` that can't be read is thrown for.
 * What the dates of `/M` and of the certificates are compared with is the time that the file itself gives.
 */
export function verifyPdf(bytes: Buffer, options: VerifyOptions): Verdict {
  const trust = options.trust?.map(readAnchor)
  try {
    return judge(bytes, trust, options.compromisedFrom)
  } catch (error) {
    return verdict([reasonOf(error)], trust === undefined ? null : false)
  }
}

/** A sealing thread trusts the same certificate for as long as it lives. */
const anchors = new WeakMap<Buffer, Certificate>()

function readAnchor(bytes: Buffer): Certificate {
  const anchor = anchors.get(bytes) ?? readCertificate(bytes)
  anchors.set(bytes, anchor)
  return anchor
}

function judge(
  bytes: Buffer,
  trust: readonly Certificate[] | undefined,
  compromisedFrom: VerifyOptions['compromisedFrom'],
): Verdict {
  const { byteRange, cms: encoded, ...said } = findSeal(bytes)
  const { signedAt } = said
  const cms = readCms(encoded)
  const chain = buildChain(cms)
  const { signer, signerKey, description: certificate } = chain
  const trusted = trust === undefined ? null : isTrusted(chain, trust, signedAt)
  const compromised = compromisedFrom?.(signer.der) ?? null
  const faults: readonly [VerifyReason, boolean][] = [
    ['DIGEST_MISMATCH', !digestMatches(bytes, byteRange, cms)],
    ['SIGNATURE_INVALID', !signatureMatches(signerKey, cms)],
    ['CERTIFICATE_NOT_IN_DATE', !isInDate(signer, signedAt)],
    ['CERTIFICATE_UNFIT', !maySign(signer)],
    ['UNTRUSTED', trusted === false],
    ['KEY_COMPROMISED', compromised !== null && signedAt >= compromised],
  ]
  const reasons = faults.flatMap(([reason, isFault]) => (isFault ? [reason] : []))
  return verdict(reasons, trusted, { ...said, byteRange, certificate })
}

/** Anything else than a fault of the input is one of ours and goes on. */
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
