// The text of a verdict: one sentence for each reason, with as few PDF and CMS terms as possible.
import type { VerifyReason } from './verdict.ts'

const MESSAGES: Readonly<Record<VerifyReason, string>> = {
  NOT_A_PDF: 'The file is not a readable PDF.',
  NO_SIGNATURE: 'The document is not signed.',
  COVERAGE_INCOMPLETE: 'The signature does not cover the whole file: something was added or removed after sealing.',
  SIGNATURE_AMBIGUOUS: 'The signature contradicts itself.',
  GAP_MISMATCH: 'The place of the signature in the file is not filled the way a seal fills it.',
  PADDING_NOT_ZERO: 'The room behind the signature was filled with something after sealing.',
  SIGNATURE_KIND_UNSUPPORTED: 'The signature is not of the kind that seals a document (PAdES).',
  SIGNING_TIME_MISSING: 'The signature does not say when it was made.',
  CMS_MALFORMED: 'The signature is damaged.',
  ALGORITHM_UNSUPPORTED: 'The signature uses an algorithm or a key that is too weak or not supported.',
  CERTIFICATE_MISMATCH: 'The certificates in the signature are not those that it was made with.',
  DIGEST_MISMATCH: 'The document was changed after sealing.',
  SIGNATURE_INVALID: 'The signature was not made with the key of its certificate.',
  CERTIFICATE_NOT_IN_DATE: 'The certificate was not in date when the document was sealed.',
  KEY_USAGE_MISMATCH: 'The certificate is not meant for signatures.',
  UNTRUSTED: 'The certificate is not one that is trusted here.',
  KEY_COMPROMISED: 'The document was sealed when the key was no longer safe.',
  EARLIER_SIGNATURE_BROKEN:
    'An earlier signature in the file is broken, or something was changed after it that it does not permit.',
}

/** The sentence for the first reason, or for a valid file. */
export function messageFor(reasons: readonly VerifyReason[], trusted: boolean | null): string {
  const [first] = reasons
  if (first !== undefined) return MESSAGES[first]
  return trusted === null
    ? 'The document is as it was sealed; who issued the certificate of the seal was not checked.'
    : 'The document is as it was sealed, and the certificate of the seal is trusted.'
}
