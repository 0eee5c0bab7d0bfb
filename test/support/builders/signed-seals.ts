// The seals of two signers as the product draws them: names in two scripts, a drawn line as signature image.
import type { FormBundle } from '#core/pdf/increment/form-bundle.ts'
import { decodeForm } from '#core/pdf/increment/form-codec.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import { drawAppearance } from '#core/appearance/draw-seal-page.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { writePng } from '#core/png/write-png.ts'
import type { PageArea } from '../judges/page-geometry.ts'

export interface SignedSeal {
  signOrder: number
  form: FormBundle
  /** Text that a document with this seal must contain. */
  words: string[]
}

const SIGNERS = [
  { signOrder: 1, signerName: 'Landlord of plot 14', verificationCode: 'q0w1e2r3t4y5u6i7o8p9aA' },
  { signOrder: 2, signerName: 'Dzierżawca Łąki Μίσθιος', verificationCode: 'Z9x8C7v6B5n4M3l2K1j0hG' },
]

/** In the signers' order. */
export async function drawSignedSeals(signedAt: Date): Promise<SignedSeal[]> {
  const imagePng = drawSignature()
  return Promise.all(
    SIGNERS.map(async ({ signOrder, signerName, verificationCode }) => {
      const signatureId = `00000000-0000-4000-8000-00000000000${signOrder}`
      const signerEmail = `signer${signOrder}@example.test`
      const verifyUrl = `https://sign.example.test/verify?id=${signatureId}&h=${verificationCode}`
      const organisationName = 'Garden Club Łódź'
      const contents = { signerName, signerEmail, organisationName, signedAt, signatureId, verificationCode, verifyUrl, imagePng }
      return {
        signOrder,
        form: decodeForm(await drawAppearance(contents)),
        words: [
          signerName,
          signerEmail,
          `${signedAt.getUTCFullYear()}, ${signedAt.toISOString().slice(11, 16)} UTC`,
          signatureId,
          verificationCode,
        ],
      }
    }),
  )
}

/** A placed seal's area on its page. */
export function sealArea({ page, matrix: [a, b, c, d, e, f], hidden }: Placement): PageArea {
  const corner = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  const cornersOf = ([left, bottom, right, top]: readonly [number, number, number, number]) => [
    corner(left, bottom),
    corner(right, bottom),
    corner(right, top),
    corner(left, top),
  ]
  const corners = cornersOf([0, 0, SEAL_WIDTH, SEAL_HEIGHT])
  return { page, corners, ...(hidden && { replaced: cornersOf(hidden) }) }
}

/** Whether the point, in default user space, lies in the area or within a tenth of a point of it. */
export function covers({ corners }: PageArea, x: number, y: number): boolean {
  return corners.every(([fromX, fromY], index) => {
    const [toX, toY] = corners[(index + 1) % corners.length] ?? [fromX, fromY]
    const side = (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX)
    return side / Math.hypot(toX - fromX, toY - fromY) > -0.1
  })
}

// A dark wave on a transparent background.
function drawSignature(): Buffer {
  const [width, height] = [240, 80]
  const pixels = Buffer.alloc(width * height * 4)
  for (let x = 10; x < width - 10; x++) {
    const middle = Math.round(height / 2 + 28 * Math.sin(x / 14))
    for (let y = middle - 1; y <= middle + 1; y++) pixels.writeUInt32BE(0x101850ff, (y * width + x) * 4)
  }
  return writePng({ width, height, pixels })
}
