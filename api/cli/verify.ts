// The offline verification of `sealwright verify`. Text from a file is printed without control characters, because a name could contain
// terminal escapes.
import { createHash } from 'node:crypto'
import { readCertificate, readPemCertificates } from '#core/pades/certificate.ts'
import { countLater, messageFor } from '#core/pades/verify/messages.ts'
import type { VerifiedSignature, VerifyReason } from '#core/pades/verify/verdict.ts'
import { type DocumentVerdict, verifyDocument } from '#core/pades/verify-document.ts'
import { describeSignatures } from './describe-signatures.ts'
import { readNamed } from './read-named.ts'
import { runWithin } from '#core/platform/process/run-within.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

export interface VerifyFileOptions {
  /** The time of the check. */
  readonly now?: Date
  /** Path of a PEM file with the certificates to trust. */
  readonly trust?: string
  /** How long the check may take; absent: 60. */
  readonly limitSeconds?: number | undefined
}

/** The largest files take a few seconds. */
const LIMIT_SECONDS = 60

export interface VerifiedFile {
  readonly verdict: DocumentVerdict
  /** SHA-256 of the whole file, lower-case hex. */
  readonly sha256: string
  /** SHA-256 of the document as it was sealed, when others added to it; the online check knows that one. */
  readonly sealedSha256?: string
}

/**
 * Verifies the file. Throws when a file can't be read or `trust` contains no readable certificate, and TimeLimitError when the check takes
 * too long: then nothing is known about the file.
 */
export async function verifyFile(
  file: string,
  { now, trust, limitSeconds = LIMIT_SECONDS }: VerifyFileOptions,
): Promise<VerifiedFile> {
  const options = { ...(now && { now }), ...(trust !== undefined && { trust: await readTrust(trust) }) }
  const bytes = await readNamed(file)
  const verdict = runWithin(limitSeconds * 1000, () => verifyDocument(bytes, options))
  const { sealedBytes } = verdict
  const isExtended = sealedBytes !== null && sealedBytes < bytes.length
  return { verdict, sha256: sha256Of(bytes), ...(isExtended && { sealedSha256: sha256Of(bytes.subarray(0, sealedBytes)) }) }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The verdict as lines of text: valid or not and why, who sealed the file and when, and every signature in it. */
export function describeVerdict(
  verdict: DocumentVerdict,
  { file, sha256, sealedSha256 }: Omit<VerifiedFile, 'verdict'> & { file: string },
): string[] {
  const { reasons, message, signature, signatures, laterSignatures } = verdict
  const failures = reasons.map((reason) => `  ${messageFor([reason], null)} (${reason})`)
  return [
    `${toVisibleLine(file)}: ${headline(verdict)}`,
    ...(verdict.valid === false ? failures : [`  ${message}`]),
    '',
    row('intact', describeIntact(verdict)),
    ...(signature === undefined ? [] : describeSignature(signature, verdict)),
    ...(laterSignatures === 0 ? [] : [row('later', countLater(laterSignatures))]),
    row('file sha256', sha256),
    ...(sealedSha256 === undefined ? [] : [row('sealed sha256', `${sealedSha256} (the first ${verdict.sealedBytes} bytes)`)]),
    ...describeSignatures(signatures),
  ]
}

function headline({ valid, coversWholeFile, sealedBytes }: DocumentVerdict): string {
  if (valid === false) return 'NOT VALID'
  const extent = coversWholeFile ? '' : ` up to byte ${sealedBytes}`
  return valid === null ? `intact${extent}, origin not checked` : `valid${extent}`
}

function describeIntact({ reasons, coversWholeFile, sealedBytes }: DocumentVerdict): string {
  if (!isAboutSealerOnly(reasons)) return 'no'
  return coversWholeFile ? 'yes, unchanged since sealing' : `yes, the first ${sealedBytes} bytes are unchanged since sealing`
}

const ABOUT_THE_SEALER: readonly VerifyReason[] = [
  'SIGNING_TIME_IN_FUTURE',
  'CERTIFICATE_NOT_IN_DATE',
  'KEY_USAGE_MISMATCH',
  'UNTRUSTED',
  'KEY_COMPROMISED',
]
const LABEL_WIDTH = 16

function isAboutSealerOnly(reasons: readonly VerifyReason[]): boolean {
  return reasons.every((reason) => ABOUT_THE_SEALER.includes(reason))
}

function describeSignature(
  { signedAt, auditHead, certificate }: VerifiedSignature,
  { reasons, trusted }: DocumentVerdict,
): string[] {
  const { subject, issuer, notBefore, notAfter, fingerprint } = certificate
  const proven = isAboutSealerOnly(reasons) ? '' : ' (not proven)'
  return [
    row('sealed by', `${toVisibleLine(subject)}${proven}`),
    row('sealed at', `${signedAt.toISOString()}${proven || ' according to the clock of the sealer'}`),
    ...(auditHead === null
      ? []
      : [row('audit trail', `${auditHead.hash} (entry ${auditHead.seq} of envelope ${auditHead.envelopeId})${proven}`)]),
    row('issued by', `${toVisibleLine(issuer)} (${describeTrust(trusted)})`),
    row('validity', `${notBefore.toISOString()} to ${notAfter.toISOString()}`),
    row('fingerprint', fingerprint),
  ]
}

function describeTrust(trusted: boolean | null): string {
  if (trusted === null) return 'not checked; use --trust to give trusted certificates'
  return trusted ? 'checked: trusted' : 'checked: NOT trusted'
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${value}`
}

async function readTrust(path: string): Promise<Buffer[]> {
  const certificates = readPemCertificates((await readNamed(path)).toString('latin1'))
  if (certificates.length === 0) throw new Error(`${path} contains no PEM certificate.`)
  try {
    for (const certificate of certificates) readCertificate(certificate)
  } catch (error) {
    throw new Error(`${path} contains a certificate that cannot be read.`, { cause: error })
  }
  return certificates
}
