// Runs on the threads of the appearance pool: checks a signature image, draws a seal or places seals. Image errors are returned, because thrown ones lose
// their class and code on the way.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { asBuffer, toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import { checkSignatureImage } from './check-signature-image.ts'
import { drawAppearance } from './draw-seal-page.ts'
import type { SealContents } from './seal-contents.ts'
import type { Inspected } from '#core/pdf/placement/place-seals.ts'
import { placeStored } from '#core/pdf/placement/plan-places.ts'
import type { StoredSeal } from '#core/pdf/placement/seal-places.ts'
import { writePng } from '#core/png/write-png.ts'

export type AppearanceTask =
  | { readonly kind: 'check'; readonly signatureImage: string }
  // A Buffer arrives on the other side as a plain Uint8Array.
  | { readonly kind: 'draw'; readonly contents: Omit<SealContents, 'imagePng'> & { readonly imagePng: Uint8Array } }
  | { readonly kind: 'place'; readonly inspected: Inspected; readonly signOrders: readonly number[] }

export type AppearanceAnswer =
  | { readonly ok: true; readonly bytes: TransferableBytes }
  | { readonly ok: true; readonly seals: readonly StoredSeal[] }
  | { readonly ok: false; readonly message: string }

// Warms up: unpacks fonts and compiles code before the first signer waits for it.
await drawAppearance({
  signerName: 'Sample',
  signerEmail: 'sample@example.com',
  organisationName: 'Sample',
  signedAt: new Date(0),
  signatureId: '',
  verificationCode: '',
  verifyUrl: 'https://example.com/verify',
  imagePng: writePng({ width: 1, height: 1, pixels: Buffer.alloc(4) }),
})

/** Returns the normalised PNG, the encoded form or the places; throws only errors that the image did not cause. */
export async function runAppearanceTask(task: AppearanceTask): Promise<AppearanceAnswer | Given<AppearanceAnswer>> {
  if (task.kind === 'place') return { ok: true, seals: placeStored(task.inspected, task.signOrders) }
  try {
    const bytes = toTransferable(await perform(task))
    return transferResult({ ok: true, bytes }, [bytes.buffer])
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, message: error.message }
    throw error
  }
}

async function perform(task: Exclude<AppearanceTask, { kind: 'place' }>): Promise<Buffer> {
  if (task.kind === 'check') return checkSignatureImage(task.signatureImage)
  return drawAppearance({ ...task.contents, imagePng: asBuffer(task.contents.imagePng) })
}
