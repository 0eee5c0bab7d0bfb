// The text of a verdict: one sentence for each reason, with as few PDF and CMS terms as possible.
import type { VerifyReason } from './verdict.ts'

const MESSAGES: Readonly<Record<VerifyReason, string>> = {
  NOT_A_PDF: 'The file is not a readable PDF.',
  NO_SIGNATURE: 'The document is not signed.',
  COVERAGE_INCOMPLETE: 'The signature does not cover the whole file: something was added or removed after sealing.',
  SIGNATURE_AMBIGUOUS: 'The signature is ambiguous.',
  GAP_MISMATCH: 'The signature is not stored in the file the way a seal is.',
  PADDING_NOT_ZERO: 'The space reserved for the signature contains other data.',
  SIGNATURE_KIND_UNSUPPORTED: 'The signature is not a document seal (PAdES).',
  SIGNING_TIME_MISSING: 'The signature does not state its signing time.',
  SIGNING_TIME_IN_FUTURE: 'The signature states a time that has not come yet: more than a day after now.',
  CMS_MALFORMED: 'The signature is damaged.',
  ALGORITHM_UNSUPPORTED: 'The signature uses an algorithm or a key that is too weak or not supported.',
  CERTIFICATE_MISMATCH: 'The certificates in the signature do not match it.',
  DIGEST_MISMATCH: 'The document was changed after sealing.',
  SIGNATURE_INVALID: 'The signature was not made with the key of its certificate.',
  SIGNATURE_REWRITTEN: 'The signature was rewritten after sealing: its certificates or its numbers are not those of the seal.',
  CERTIFICATE_NOT_IN_DATE: 'The certificate was not valid when the document was sealed.',
  KEY_USAGE_MISMATCH: 'The certificate is not meant for signatures.',
  UNTRUSTED: 'The certificate is not trusted.',
  KEY_COMPROMISED: 'The document was sealed after the key was compromised.',
  EARLIER_SIGNATURE_BROKEN: 'An earlier signature in the file is broken, or was followed by changes that it does not permit.',
  LATER_SIGNATURE_BROKEN:
    'A signature that was added after sealing is broken, or was followed by changes that it does not permit.',
  LATER_CHANGES_UNREADABLE: 'What was added to the file after a signature cannot be read.',
}

/** What came after the seal, where something did, and the seal permits it. */
export interface Later {
  /** How many bytes from the start of the file are sealed. */
  readonly sealedBytes: number
  readonly laterSignatures: number
}

/** The sentence for the first reason, or sentences for a valid file. */
export function messageFor(reasons: readonly VerifyReason[], trusted: boolean | null, later?: Later): string {
  const [first] = reasons
  if (first !== undefined) return MESSAGES[first]
  const unchanged =
    later === undefined
      ? 'The document is unchanged since it was sealed'
      : `The first ${later.sealedBytes} bytes of the file are unchanged since they were sealed`
  const sealed =
    trusted === null
      ? `${unchanged}. The issuer of the seal certificate was not checked.`
      : `${unchanged}, and the seal certificate is trusted.`
  return later === undefined ? sealed : `${sealed} ${sentenceFor(later)}`
}

function sentenceFor({ laterSignatures }: Later): string {
  const follows = 'What follows shows nothing and is permitted, but it is not part of what was sealed'
  if (laterSignatures === 0) return `${follows}.`
  return `${follows}: it was ${countLater(laterSignatures)}; who signed later was not checked.`
}

/** "signed later by others: 1 further signature" */
export function countLater(signatures: number): string {
  return `signed later by others: ${signatures} further ${signatures === 1 ? 'signature' : 'signatures'}`
}
