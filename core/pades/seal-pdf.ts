// The sealed file: the original byte for byte, then one increment with the visible seals and a PAdES B-B signature over everything. The
// document is not parsed: the seal plan was read at upload.
import { X509Certificate } from 'node:crypto'
import type { FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { writeIncrement } from '#core/pdf/increment/increment.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import { formatText } from '#core/pdf/read/syntax.ts'
import { type AuditHead, writeAuditHead } from './audit-head.ts'
import { CadesSigner } from './cades-signer.ts'
import { IncrementSigner } from './increment-signer.ts'
import { SEAL_FORMAT_ENTRY } from './seal-format.ts'
import { formatSigners } from './signatures/signers.ts'
import { type SigningKey, signingKeyFingerprint } from './signing-key.ts'

export interface SealInput {
  original: Buffer
  /** From the inspection of exactly these bytes. */
  plan: SealPlan
  placements: readonly Placement[]
  forms: readonly FormBundle[]
  key: SigningKey
  sealedAt: Date
  auditHead: AuditHead
  /** Names of the people whose signatures the seal is about, in signing order. */
  signers?: readonly string[]
  /** Allocates the memory for the sealed file (newOutputBuffer); by default new memory. */
  allocate?: (bytes: number) => Buffer
}

interface PreparedKey {
  signer: CadesSigner
  name: string
  fingerprint: string
}

const preparedKeys = new WeakMap<SigningKey, PreparedKey>()

/**
 * Returns the whole sealed file. Equal input gives equal bytes, except for EC signatures, which are random. Rejects with RangeError when
 * the plan belongs to other bytes, and with the errors of writeIncrement and IncrementSigner.
 */
export async function sealPdf(input: SealInput): Promise<Buffer> {
  const { original, plan, placements, forms, key, sealedAt, auditHead } = input
  if (original.length !== plan.length) throw new RangeError('the document is not the one that was inspected')
  const { signer, name, fingerprint } = prepareKey(key)
  const time = sealedAt.toISOString().replace(/\.\d+Z$/, 'Z')
  const { bytes, gapStart, gapEnd } = writeIncrement(plan, {
    forms,
    placements,
    signatureEntries: signatureEntries(name, time, auditHead) + SEAL_FORMAT_ENTRY + formatSigners(input.signers ?? []),
    contentsBytes: signer.contentsBytes,
    fieldDescription: `Electronic seal by ${name}, ${time}`,
    documentIdSeed: Buffer.from(JSON.stringify([plan.length, plan.startxref, plan.fileId, time, fingerprint])),
  })
  const size = original.length + bytes.length
  const sealed = input.allocate?.(size) ?? Buffer.allocUnsafeSlow(size)
  sealed.set(original)
  sealed.set(bytes, original.length)
  return await new IncrementSigner({ start: gapStart, end: gapEnd }).sign(sealed, signer)
}

// EN 319 142-1, 6.3: /M holds the time because the CMS must not; /Reason is allowed without a commitment type; no /Cert. No DocMDP: with
// P=1 some validators would report later time stamps as forbidden changes, and the seal covers the whole file anyway.
function signatureEntries(name: string, time: string, head: AuditHead): string {
  const subFilter = '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached'
  return `${subFilter}/M(D:${time.replaceAll(/[-:T]/g, '')})/Name${formatText(name)}/Reason${formatText(writeAuditHead(head))}`
}

function prepareKey(key: SigningKey): PreparedKey {
  const known = preparedKeys.get(key)
  if (known) return known
  const { subject } = new X509Certificate(key.certificate).toLegacyObject()
  const name = [subject.CN].flat().at(-1) ?? [subject.O].flat().at(-1) ?? 'Electronic seal'
  const prepared = { signer: new CadesSigner(key), name, fingerprint: signingKeyFingerprint(key) }
  preparedKeys.set(key, prepared)
  return prepared
}
