// The offline verification of `sealwright verify`. Text from a file is printed without control characters, because a name could contain
// terminal escapes.
import { createHash } from 'node:crypto'
import { readCertificate, readPemCertificates } from '#core/pades/certificate.ts'
import { messageFor } from '#core/pades/verify/messages.ts'
import type { Verdict, VerifiedSignature, VerifyReason } from '#core/pades/verify/verdict.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'
import { readNamed } from './read-named.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

export interface VerifyFileOptions {
  /** Path of a PEM file with the certificates to trust. */
  readonly trust?: string
}

export interface VerifiedFile {
  readonly verdict: Verdict
  /** SHA-256 of the whole file, lower-case hex. */
  readonly sha256: string
}

/** Verifies the file. Throws when a file can't be read or `trust` contains no readable certificate. */
export async function verifyFile(file: string, { trust }: VerifyFileOptions): Promise<VerifiedFile> {
  const options = trust === undefined ? {} : { trust: await readTrust(trust) }
  const bytes = await readNamed(file)
  return { verdict: verifyPdf(bytes, options), sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** The verdict as lines of text: whether the file is intact, who sealed it and when, and whether the issuer is trusted. */
export function describeVerdict(verdict: Verdict, { file, sha256 }: { file: string; sha256: string }): string[] {
  const { valid, reasons, message, signature } = verdict
  const lines = reasons.map((reason) => `  ${messageFor([reason], null)} (${reason})`)
  return [
    `${toVisibleLine(file)}: ${valid ? 'valid' : 'NOT VALID'}`,
    ...(valid ? [`  ${message}`] : lines),
    '',
    row('intact', valid || isAboutKeyOnly(reasons) ? 'yes, unchanged since sealing' : 'no'),
    ...(signature === undefined ? [] : describeSignature(signature, verdict)),
    row('file sha256', sha256),
  ]
}

const ABOUT_THE_KEY: readonly VerifyReason[] = ['CERTIFICATE_NOT_IN_DATE', 'KEY_USAGE_MISMATCH', 'UNTRUSTED', 'KEY_COMPROMISED']
const LABEL_WIDTH = 16

function isAboutKeyOnly(reasons: readonly VerifyReason[]): boolean {
  return reasons.every((reason) => ABOUT_THE_KEY.includes(reason))
}

function describeSignature(
  { signerName, signedAt, auditHead, certificate }: VerifiedSignature,
  { reasons, trusted }: Verdict,
): string[] {
  const { subject, issuer, notBefore, notAfter, fingerprint } = certificate
  const proven = isAboutKeyOnly(reasons) ? '' : ' (not proven)'
  return [
    row('sealed by', `${toVisibleLine(subject)}${proven}`),
    // Not proof of who sealed: the sealer can write any name there.
    ...(signerName === null ? [] : [row('on behalf of', toVisibleLine(signerName))]),
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
