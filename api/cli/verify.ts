// The offline check behind `sealwright verify`: reads the files, asks the strict check, and says the verdict in words. Whatever a file says
// of itself is shown as text only: a name could hold what moves the cursor.
import { createHash } from 'node:crypto'
import { readCertificate, readPemCertificates } from '#core/pades/certificate.ts'
import { messageFor } from '#core/pades/verify/messages.ts'
import type { VerifiedSignature, VerifyReason } from '#core/pades/verify/verdict.ts'
import { type DocumentVerdict, verifyDocument } from '#core/pades/verify-document.ts'
import { describeSignatures } from './describe-signatures.ts'
import { readNamed } from './read-named.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

export interface VerifyFileOptions {
  /** Path of a PEM file with the certificates to trust. */
  readonly trust?: string
}

export interface VerifiedFile {
  readonly verdict: DocumentVerdict
  /** Of the whole file, lower-case hex. */
  readonly sha256: string
}

/** Judges the file at this path. Throws an Error when a file can't be read or `trust` holds no readable certificate. */
export async function verifyFile(file: string, { trust }: VerifyFileOptions): Promise<VerifiedFile> {
  const options = trust === undefined ? {} : { trust: await readTrust(trust) }
  const bytes = await readNamed(file)
  return { verdict: verifyDocument(bytes, options), sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** The verdict in lines for a person: valid or not and why, who sealed and when, and every signature in the file. */
export function describeVerdict(verdict: DocumentVerdict, { file, sha256 }: { file: string; sha256: string }): string[] {
  const { valid, reasons, message, signature, signatures } = verdict
  const faults = reasons.map((reason) => `  ${messageFor([reason], null)} (${reason})`)
  return [
    `${toVisibleLine(file)}: ${headline(valid)}`,
    ...(valid === false ? faults : [`  ${message}`]),
    '',
    row('intact', isAboutKeyOnly(reasons) ? 'yes, every byte is as it was sealed' : 'no'),
    ...(signature === undefined ? [] : describeSignature(signature, verdict)),
    row('file sha256', sha256),
    ...describeSignatures(signatures),
  ]
}

function headline(valid: boolean | null): string {
  if (valid === null) return 'intact, origin not checked'
  return valid ? 'valid' : 'NOT VALID'
}

const ABOUT_THE_KEY: readonly VerifyReason[] = ['CERTIFICATE_NOT_IN_DATE', 'KEY_USAGE_MISMATCH', 'UNTRUSTED', 'KEY_COMPROMISED']
const LABEL_WIDTH = 16

function isAboutKeyOnly(reasons: readonly VerifyReason[]): boolean {
  return reasons.every((reason) => ABOUT_THE_KEY.includes(reason))
}

function describeSignature(
  { signerName, signedAt, auditHead, certificate }: VerifiedSignature,
  { reasons, trusted }: DocumentVerdict,
): string[] {
  const { subject, issuer, notBefore, notAfter, fingerprint } = certificate
  const proven = isAboutKeyOnly(reasons) ? '' : ' (not proven)'
  return [
    row('sealed by', `${toVisibleLine(subject)}${proven}`),
    // Not who sealed: whoever sealed could write any name there.
    ...(signerName === null ? [] : [row('in the name of', toVisibleLine(signerName))]),
    row('sealed at', `${signedAt.toISOString()}${proven || ' by the clock of the sealer'}`),
    ...(auditHead === null
      ? []
      : [row('audit trail', `${auditHead.hash} (row ${auditHead.seq} of envelope ${auditHead.envelopeId})${proven}`)]),
    row('issued by', `${toVisibleLine(issuer)} (${describeTrust(trusted)})`),
    row('in date', `${notBefore.toISOString()} to ${notAfter.toISOString()}`),
    row('fingerprint', fingerprint),
  ]
}

function describeTrust(trusted: boolean | null): string {
  if (trusted === null) return 'not checked: name the certificates that you trust with --trust'
  return trusted ? 'checked: trusted' : 'checked: NOT trusted'
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${value}`
}

async function readTrust(path: string): Promise<Buffer[]> {
  const certificates = readPemCertificates((await readNamed(path)).toString('latin1'))
  if (certificates.length === 0) throw new Error(`${path} holds no certificate in PEM form.`)
  try {
    for (const certificate of certificates) readCertificate(certificate)
  } catch (error) {
    throw new Error(`${path} holds a certificate that cannot be read.`, { cause: error })
  }
  return certificates
}
