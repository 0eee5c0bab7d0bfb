// Runs on the threads of the sealing pool: seals, then verifies exactly the bytes that will be stored. Errors are returned, because a
// thrown one loses its class on the way.
import { createHash, X509Certificate } from 'node:crypto'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { asBuffer, toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import { newOutputBuffer } from '#core/pades/output-buffer.ts'
import { type Inspected, placeSeals } from '#core/pdf/placement/place-seals.ts'
import { sealPdf } from '#core/pades/seal-pdf.ts'
import { readPemKey, type SigningKey } from '#core/pades/signing-key.ts'
import { isInDate } from '#core/pades/verify/trust.ts'
import { verifyPdf } from '#core/pades/verify-pdf.ts'

export interface SealTask {
  /** Bytes in shared memory. */
  readonly original: Uint8Array
  readonly plan: SealPlan
  readonly placements: readonly Placement[] | Inspected
  readonly seals: readonly { readonly signOrder: number; readonly name: string; readonly appearance: Uint8Array }[]
  readonly sealedAt: Date
  readonly auditHead: AuditHead
  /** The signing key and its certificates. */
  readonly pem: string
}

export type SealAnswer =
  | { readonly ok: true; readonly increment: TransferableBytes; readonly sha256: TransferableBytes }
  | { readonly ok: false; readonly message: string; readonly keyUnusable?: true }

const allocate = newOutputBuffer()
/** The keys that this thread has parsed, by their text: parsing takes longer than finding it. */
const parsedKeys = new Map<string, { key: SigningKey; x509: X509Certificate }>()
const MAX_PARSED_KEYS = 50

/** Returns the increment and the hash of the sealed file. */
export async function runSealTask(task: SealTask): Promise<SealAnswer | Given<SealAnswer>> {
  try {
    return await seal(task)
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}

function keyOf(pem: string): { key: SigningKey; x509: X509Certificate } {
  const parsed = parsedKeys.get(pem)
  if (parsed) return parsed
  const key = readPemKey(pem)
  const [oldest] = parsedKeys.keys()
  if (oldest !== undefined && parsedKeys.size >= MAX_PARSED_KEYS) parsedKeys.delete(oldest)
  const added = { key, x509: new X509Certificate(key.certificate) }
  parsedKeys.set(pem, added)
  return added
}

async function seal({
  original,
  plan,
  placements,
  seals,
  sealedAt,
  auditHead,
  pem,
}: SealTask): Promise<SealAnswer | Given<SealAnswer>> {
  const { key, x509 } = keyOf(pem)
  if (!isInDate({ x509 }, sealedAt))
    return { ok: false, keyUnusable: true, message: 'The certificate of the signing key is not in date.' }
  const sealed = await sealPdf({
    original: asBuffer(original),
    plan,
    placements: 'markers' in placements ? placeSeals(placements, seals) : placements,
    forms: seals.map(({ appearance }) => decodeForm(asBuffer(appearance))),
    key,
    sealedAt,
    auditHead,
    signers: seals.map(({ name }) => name),
    allocate,
  })
  const verdict = verifyPdf(sealed, { trust: [key.certificate] })
  if (!verdict.valid) return { ok: false, message: `The seal does not verify: ${verdict.reasons.join(', ')}.` }
  const sha256 = toTransferable(createHash('sha256').update(sealed).digest())
  // A copy: the memory of the whole file is reused for the next one.
  const increment = new Uint8Array(sealed.subarray(original.length))
  return transferResult({ ok: true, increment, sha256 }, [increment.buffer, sha256.buffer])
}
