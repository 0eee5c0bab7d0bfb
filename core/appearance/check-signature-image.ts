// Checks the drawn signature, which is untrusted: limits it before inflating, decodes it whole and writes a new file, so no byte of the
// sender's file survives. decisions.md, row signatureImage.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { decodePng } from '#core/png/decode-png.ts'
import { PngError, readPngHeader, readPngParts } from '#core/png/read-png.ts'
import { writePng } from '#core/png/write-png.ts'
import { hasInk } from './trim-ink.ts'

const MAX_BYTES = 512 * 1024
const MAX_WIDTH = 2000
const MAX_HEIGHT = 1000
const DATA_HEAD = 'data:image/png;base64,'

/**
 * Takes a base64 PNG with or without `data:` prefix and returns the image as a new RGBA PNG. Throws SIGNATURE_IMAGE_INVALID with a sentence
 * for the sender. An image without visible ink is refused: it would make a seal without a signature.
 */
export function checkSignatureImage(signatureImage: string): Buffer {
  try {
    const bytes = decodeBase64(signatureImage)
    const { width, height } = readPngHeader(bytes)
    if (width < 1 || height < 1 || width > MAX_WIDTH || height > MAX_HEIGHT) {
      throw new PngError(`The image must have between 1 x 1 and ${MAX_WIDTH} x ${MAX_HEIGHT} pixels.`)
    }
    const image = decodePng(readPngParts(bytes))
    if (!hasInk(image)) throw new PngError('The signature image is empty: it is all transparent or white.')
    return writePng(image)
  } catch (error) {
    if (error instanceof PngError) throw new DomainError('SIGNATURE_IMAGE_INVALID', { message: error.message })
    throw error
  }
}

function decodeBase64(text: string): Buffer {
  const encoded = text.startsWith(DATA_HEAD) ? text.slice(DATA_HEAD.length) : text
  if (encoded.length > Math.ceil(MAX_BYTES / 3) * 4) throw new PngError('The image is larger than 512 KiB.')
  const bytes = Buffer.from(encoded, 'base64')
  // NOTE: Node skips characters outside base64; only strict base64 survives the round trip (RFC 4648 3.5).
  if (bytes.toString('base64') !== encoded) throw new PngError('The image is not valid base64.')
  if (bytes.length > MAX_BYTES) throw new PngError('The image is larger than 512 KiB.')
  return bytes
}
