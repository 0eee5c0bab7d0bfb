// The public check: was this signature made here, and are the sealed copies unchanged? Decisions, "Send, completion, verification".
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import type { EnvelopeId, OrgId, SignatureId } from '#core/ids.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { findRetention } from '#core/envelope/retention/store.ts'
import {
  findSealedReport,
  findSignature,
  findSignatureOwner,
  listSealedDocuments,
  type SealedFile,
  type SignatureRow,
} from './store.ts'
import { listPinnedCertificates } from '#core/signing-key/signing-key-store.ts'
import type { PinnedCertificate } from '#core/pades/certificate.ts'

export interface SignatureVerdict {
  valid: boolean
  message: string
  envelopeId?: EnvelopeId
  signedAt?: Date
  signerEmail?: string
  signerName?: string
}

// The same text for an unknown id and a wrong proof, so that guessing reveals nothing.
const NOT_CONFIRMED: SignatureVerdict = { valid: false, message: 'This signature could not be confirmed.' }
/** A code proves that the signing took place; which file is in front of the reader, it cannot know. */
const ON_RECORD = 'This signing is on record. Check the file too, to see that it is the same document.'
const SAME_FILE = 'The file is the one that was sealed, and its seal is valid.'
const SAME_REPORT = 'The file is the audit report that was sealed, and its seal is valid.'
const SHA256_HEX = /^[0-9a-fA-F]{64}$/

/**
 * `proof` is the verification code printed in the seal, or the SHA-256 (hex) of a sealed copy or of the sealed audit report. Reads and
 * verifies the stored files every time.
 */
export async function verifySignature(core: Core, id: SignatureId, proof: string): Promise<SignatureVerdict> {
  const codeMatches = equalSecrets(Buffer.from(core.keys.verificationCode(id)), Buffer.from(proof))
  const owner = await findSignatureOwner(core.database, id)
  if (!owner) return NOT_CONFIRMED
  const { signature, documents, report, pins, archived } = await load(core, owner, id)
  const isReport = !codeMatches && report !== undefined && isHashOf(proof, report.sha256)
  const concerned = isReport ? [report] : codeMatches ? documents : documents.filter(({ sha256 }) => isHashOf(proof, sha256))
  if (!signature || (!codeMatches && concerned.length === 0)) return NOT_CONFIRMED
  const { envelopeId, signedAt, signerEmail, signerName } = signature
  const who = { envelopeId, signedAt, signerEmail, signerName }
  const missing = isReport && !archived ? undefined : reasonForNoCopies(archived, documents.length, signature.documentCount)
  if (missing) return { valid: false, message: missing, ...who }
  for (const document of concerned) {
    const problem = await checkCopy(core, document, pins)
    if (problem) return { valid: false, message: problem, ...who }
  }
  return { valid: true, message: describeSuccess(codeMatches ? ON_RECORD : isReport ? SAME_REPORT : SAME_FILE, pins), ...who }
}

function describeSuccess(sentence: string, pins: readonly PinnedCertificate[]): string {
  const note = pins.some(({ origin }) => origin === 'SELF_MADE')
    ? ' The seal was made with a self-signed key of this installation.'
    : ''
  return `${sentence}${note}`
}

function reasonForNoCopies(archived: boolean, sealed: number, documents: number): string | undefined {
  if (archived) return 'The sealed copies were deleted at the end of their retention period. Check a file that you kept instead.'
  return sealed < documents ? 'The sealed copies are still being made.' : undefined
}

async function load(
  core: Core,
  orgId: OrgId,
  id: SignatureId,
): Promise<{
  signature: SignatureRow | undefined
  documents: SealedFile[]
  report: SealedFile | undefined
  pins: PinnedCertificate[]
  archived: boolean
}> {
  return inOrganisation(core.database, orgId, async (sql) => {
    const signature = await findSignature(sql, orgId, id)
    const sealed = signature ? await listSealedDocuments(sql, orgId, signature.envelopeId) : []
    const documents = sealed.filter(({ increment }) => increment === null)
    const report = signature && (await findSealedReport(sql, orgId, signature.envelopeId))
    return {
      signature,
      documents,
      report,
      archived: signature !== undefined && (await findRetention(sql, orgId, signature.envelopeId, core.settings)).archived,
      pins: await listPinnedCertificates(
        sql,
        [...documents, ...(report ? [report] : [])].map(({ fingerprint }) => fingerprint),
      ),
    }
  })
}

function isHashOf(proof: string, sha256: Buffer): boolean {
  return SHA256_HEX.test(proof) && equalSecrets(Buffer.from(proof, 'hex'), sha256)
}

async function checkCopy(
  core: Core,
  { storageKey, sha256, fingerprint, sealedAt }: SealedFile,
  pins: readonly PinnedCertificate[],
): Promise<string | undefined> {
  // The time in the file is the sealer's claim, and a stolen key can sign any time: the recorded time counts.
  const pin = pins.find((each) => each.fingerprint === fingerprint)
  if (pin?.compromisedFrom && sealedAt >= pin.compromisedFrom)
    return 'The key that sealed it is marked as compromised from before then.'
  const verdict = await core.threads.verification.verify({ read: () => core.storage.read(storageKey), sha256, pins })
  return verdict.valid ? undefined : `A sealed copy is not what was sealed: ${verdict.message}`
}
