// What a seal shows at each size. The form always has one size, so at a smaller scale its text has to be larger to stay readable on paper.
import { LAYOUT_SCALES, SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'

/** Size of the text on paper, in points, at every size of the seal. */
export const TEXT_POINTS = 6.5

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** All lengths are in the space of the form. */
export interface SealLayout {
  /** The most and the least size of the name; all other text has the least. */
  readonly nameSize: number
  readonly textSize: number
  readonly text: Area
  /** The number of lines of `textSize` that fit. */
  readonly lines: number
  readonly qr: { readonly x: number; readonly y: number; readonly size: number }
  /** Whether there is room to say below the QR code what it is for. */
  readonly labelsQr: boolean
  /** The drawn signature; left out of the smallest seal, where it would make the text hard to read. */
  readonly ink: Area | undefined
  /** Whether the drawn signature takes a part of the name's line. */
  readonly inkInText: boolean
  readonly shortDate: boolean
}

const [LEFT, RIGHT, EDGE] = [8, 6, 2]
/** Side of the QR code, and its distance from the foot. */
const QR_CODES = [
  { size: 50, y: 16 },
  { size: 48, y: 4 },
  { size: 56, y: 8 },
] as const
/** Fraction of the text's size: the least distance between two baselines. */
const TIGHTEST_LEADING = 0.97

/** Layouts by the index of LAYOUT_SCALES. The drawn signature is beside the name or above the QR code. */
export const SEAL_LAYOUTS: readonly SealLayout[] = LAYOUT_SCALES.map((scale, index) => {
  const textSize = TEXT_POINTS / scale
  const { size, y } = QR_CODES[index] ?? QR_CODES[0]
  const qr = { x: SEAL_WIDTH - size - RIGHT, y, size }
  const text = { x: LEFT, y: EDGE, width: qr.x - LEFT - 5, height: SEAL_HEIGHT - 2 * EDGE }
  const inkAreas = [
    { x: 88, y: 49, width: text.width + LEFT - 88, height: 20 },
    { x: qr.x, y: qr.y + qr.size + 2, width: qr.size, height: SEAL_HEIGHT - qr.y - qr.size - 4 },
  ]
  return {
    nameSize: index === 0 ? 9 : textSize * 1.1,
    textSize,
    text,
    lines: Math.floor((text.height - textSize) / (textSize * TIGHTEST_LEADING)) + 1,
    qr,
    labelsQr: index === 0,
    ink: inkAreas[index],
    inkInText: index === 0,
    shortDate: index === LAYOUT_SCALES.length - 1,
  }
})
