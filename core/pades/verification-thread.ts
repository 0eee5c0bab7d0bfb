// Runs on the thread of the verification pool.
import { createHash } from 'node:crypto'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { verifyPdf } from './verify-pdf.ts'

export interface VerificationTask {
  readonly bytes: Uint8Array
  readonly sha256: Uint8Array
  readonly pins: readonly { readonly certificate: Uint8Array; readonly compromisedFrom: Date | null }[]
}

export interface VerificationAnswer {
  readonly valid: boolean
  readonly message: string
}

/** Checks that the file's hash equals the record, and that its seal is valid under a pinned certificate. */
export function runVerificationTask({ bytes, sha256, pins }: VerificationTask): VerificationAnswer {
  const file = asBuffer(bytes)
  if (!createHash('sha256').update(file).digest().equals(sha256)) return { valid: false, message: 'its bytes have changed.' }
  const { valid, message } = verifyPdf(file, {
    trust: pins.map(({ certificate }) => asBuffer(certificate)),
    compromisedFrom: (sealing) => pins.find(({ certificate }) => sealing.equals(certificate))?.compromisedFrom ?? null,
  })
  return { valid, message }
}
