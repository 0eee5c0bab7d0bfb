// What runs on the threads of the appearance pool: checking a signature image, drawing a seal. What is wrong with the image is returned:
// a thrown error would arrive without its class and code.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { asBuffer, toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import { checkSignatureImage } from './check-signature-image.ts'
import { drawAppearance } from './draw-appearance.ts'
import type { SealContents } from './draw-seal-page.ts'
import { writePng } from '#core/png/write-png.ts'

export type AppearanceTask =
  | { readonly kind: 'check'; readonly signatureImage: string }
  // Buffers arrive on the other side as plain byte arrays.
  | { readonly kind: 'draw'; readonly contents: Omit<SealContents, 'imagePng'> & { readonly imagePng: Uint8Array } }

export type AppearanceAnswer =
  | { readonly ok: true; readonly bytes: TransferableBytes }
  | { readonly ok: false; readonly message: string }

// The first signer should not wait until fonts are unpacked and code is compiled.
await drawAppearance({
  signerName: 'Sample',
  signerEmail: 'sample@example.com',
  signedAt: new Date(0),
  signatureId: '',
  verificationCode: '',
  verifyUrl: 'https://example.com/verify',
  imagePng: writePng({ width: 1, height: 1, pixels: Buffer.alloc(4) }),
})

/** Answers with the normalised PNG or the encoded form; throws only what is no fault of the image. */
export async function runAppearanceTask(task: AppearanceTask): Promise<AppearanceAnswer | Given<AppearanceAnswer>> {
  try {
    const bytes = toTransferable(await perform(task))
    return transferResult({ ok: true, bytes }, [bytes.buffer])
  } catch (error) {
    if (error instanceof DomainError) return { ok: false, message: error.message }
    throw error
  }
}

async function perform(task: AppearanceTask): Promise<Buffer> {
  if (task.kind === 'check') return checkSignatureImage(task.signatureImage)
  return drawAppearance({ ...task.contents, imagePng: asBuffer(task.contents.imagePng) })
}
