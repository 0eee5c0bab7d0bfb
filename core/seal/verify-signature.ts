// The public check: was this signature made here, and are the sealed copies unchanged? Decisions, "Send, completion, verification".
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { EnvelopeId, newId, OrgId, type SignatureId } from '#core/ids.ts'
import { currentTime } from '#core/platform/postgres/clock.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { findRetention } from '#core/envelope/retention/store.ts'
import {
  findSealedReport,
  findSignature,
  findSignatureOwner,
  listStoredCopies,
  type SealedFile,
  type SignatureRow,
} from './store.ts'

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
const COMPROMISED = 'The key that sealed it is marked as compromised from before then.'
const SHA256_HEX = /^[0-9a-fA-F]{64}$/

/**
 * `proof` is the verification code printed in the seal, or the SHA-256 (hex) of a sealed copy or of the sealed audit report. A hash asks about
 * that file, a code about all copies. What depends on bytes only is kept by the verification pool; the rest is decided here every time.
 */
export async function verifySignature(core: Core, id: SignatureId, proof: string): Promise<SignatureVerdict> {
  const codeMatches = core.keys.isVerificationCode(proof, id)
  // An unknown id costs the same statements as a wrong proof, so that the time reveals nothing.
  const owner = (await findSignatureOwner(core.database, id)) ?? newId(OrgId)
  const loaded = await load(core, owner, id)
  const concerned = codeMatches ? { files: loaded.documents, success: ON_RECORD } : filesOf(loaded, proof)
  const { signature } = loaded
  if (!signature || !concerned) return NOT_CONFIRMED
  const { envelopeId, signedAt, signerEmail, signerName } = signature
  const who = { envelopeId, signedAt, signerEmail, signerName }
  const problem = reasonForNoCopies(loaded, concerned.success) ?? (await firstProblem(core, owner, concerned.files))
  if (problem) return { valid: false, message: problem, ...who }
  return { valid: true, message: describeSuccess(concerned), ...who }
}

/** The files that a proof is about, and what to say about them. */
interface Concerned {
  files: SealedFile[]
  success: string
}

function filesOf({ documents, report }: Loaded, hash: string): Concerned | undefined {
  if (report && isHashOf(hash, report.sha256)) return { files: [report], success: SAME_REPORT }
  const files = documents.filter(({ sha256 }) => isHashOf(hash, sha256))
  return files.length > 0 ? { files, success: SAME_FILE } : undefined
}

async function firstProblem(core: Core, owner: OrgId, files: readonly SealedFile[]): Promise<string | undefined> {
  for (const file of files) {
    const problem = await checkCopy(core, owner, file)
    if (problem) return problem
  }
  return undefined
}

function describeSuccess({ files, success }: Concerned): string {
  const note = files.some(({ origin }) => origin === 'SELF_MADE')
    ? ' The seal was made with a self-signed key of this installation.'
    : ''
  return `${success}${note}`
}

/** A report may be of an envelope that was never completed, so it does not need the copies. */
function reasonForNoCopies({ archived, documents, signature }: Loaded, success: string): string | undefined {
  if (archived) return 'The sealed copies were deleted at the end of their retention period. Check a file that you kept instead.'
  const isUnsealed = success !== SAME_REPORT && documents.length < (signature?.documentCount ?? 0)
  return isUnsealed ? 'The sealed copies are still being made.' : undefined
}

interface Loaded {
  signature: SignatureRow | undefined
  documents: SealedFile[]
  report: SealedFile | undefined
  archived: boolean
}

async function load(core: Core, orgId: OrgId, id: SignatureId): Promise<Loaded> {
  return inOrganisation(core.database, orgId, async (sql) => {
    const signature = await findSignature(sql, orgId, id)
    const envelopeId = signature?.envelopeId ?? newId(EnvelopeId)
    const documents = await listStoredCopies(sql, orgId, envelopeId)
    const report = await findSealedReport(sql, orgId, envelopeId)
    const { archived } = await findRetention(sql, orgId, envelopeId, core.settings)
    return { signature, documents, report, archived }
  })
}

function isHashOf(proof: string, sha256: Buffer): boolean {
  return SHA256_HEX.test(proof) && equalSecrets(Buffer.from(proof, 'hex'), sha256)
}

async function checkCopy(
  core: Core,
  owner: OrgId,
  { storageKey, sha256, sealedAt, certificate, compromisedFrom }: SealedFile,
): Promise<string | undefined> {
  const isCompromised = (at: Date) => compromisedFrom !== null && at >= compromisedFrom
  // The time in the file is the sealer's claim, and a stolen key can sign any time: the recorded time counts.
  if (isCompromised(sealedAt)) return COMPROMISED
  const { length, storedAt } = (await core.storage.stat(storageKey)) ?? {}
  const verdict = await core.threads.verification.verify({
    owner,
    // A file that was replaced under its key has another length or time.
    name: `${storageKey} ${length} ${storedAt?.toISOString()}`,
    read: () => core.storage.read(storageKey),
    sha256,
    certificate,
    now: await currentTime(core.database),
  })
  if (!verdict.valid) return `A sealed copy is not what was sealed: ${verdict.message}`
  return isCompromised(verdict.signedAt) ? COMPROMISED : undefined
}
