// @signpdf's SignPdf for an increment that this service wrote: the byte-range gap is known, so the file is signed in place.
// The base class searches the file for a placeholder (an uploaded document may contain one) and copies it five times.
import { createHash } from 'node:crypto'
import { SignPdf } from '@signpdf/signpdf'
import { type Signer, SignPdfError } from '@signpdf/utils'
import { CadesSigner } from './cades-signer.ts'

/** Offsets in the file of the string in /Contents, angle brackets included. */
export interface ByteRangeGap {
  start: number
  end: number
}

/** Signs one file: hashes the bytes outside the gap and writes the CMS into it; every other byte stays unchanged. */
export class IncrementSigner extends SignPdf {
  readonly #gap: ByteRangeGap

  constructor(gap: ByteRangeGap) {
    super()
    this.#gap = gap
  }

  /**
   * Writes the signature into `pdf` itself and returns it. The signing time is ignored: PAdES forbids it in the CMS (EN 319 142-1, 6.3).
   * Throws SignPdfError for a signer without digest input and for a CMS longer than the gap.
   */
  override async sign(pdf: Buffer, signer: Signer): Promise<Buffer> {
    if (!(signer instanceof CadesSigner)) throw new SignPdfError('CadesSigner expected.', SignPdfError.TYPE_INPUT)
    const { start, end } = this.#gap
    // ISO 32000-2, 12.8.1: the digest leaves out the string in /Contents with its angle brackets.
    const digest = createHash('sha256').update(pdf.subarray(0, start)).update(pdf.subarray(end)).digest()
    const signature = signer.signDigest(digest).toString('hex')
    if (signature.length > end - start - 2) {
      throw new SignPdfError(`Signature exceeds its gap: ${signature.length} > ${end - start - 2}`, SignPdfError.TYPE_INPUT)
    }
    pdf.write(signature, start + 1, 'latin1')
    this.lastSignature = signature
    return pdf
  }
}
