// Runs on the thread of the verification pool.
import { createHash } from 'node:crypto'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { verifyPdf } from './verify-pdf.ts'

export interface VerificationTask {
  readonly bytes: Uint8Array
  readonly sha256: Uint8Array
  readonly certificate: Uint8Array
  readonly now: Date
}

export type VerificationAnswer =
  | {
      readonly valid: true
      /** Signing time as the seal states it. */
      readonly signedAt: Date
    }
  | { readonly valid: false; readonly message: string }

/** Checks that the file's hash equals the record, and that its seal is valid and by this certificate. */
export function runVerificationTask({ bytes, sha256, certificate, now }: VerificationTask): VerificationAnswer {
  const file = asBuffer(bytes)
  if (!createHash('sha256').update(file).digest().equals(sha256)) return { valid: false, message: 'its bytes have changed.' }
  const { valid, message, signature } = verifyPdf(file, { trust: [asBuffer(certificate)], now })
  return valid && signature ? { valid, signedAt: signature.signedAt } : { valid: false, message }
}
