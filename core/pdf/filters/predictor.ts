// Undoes the predictors of Flate and LZW (ISO 32000-2, 7.4.4.4): PNG filters by row, and TIFF differencing of whole bytes.
import { malformed } from '../pdf-fault.ts'

export interface PredictorParameters {
  readonly predictor: number
  readonly colors: number
  readonly bitsPerComponent: number
  readonly columns: number
}

const MAX_ROW_BYTES = 1 << 24

/** The data without its prediction; a last row that was cut off counts as far as it goes. */
export function undoPredictor(data: Buffer, parameters: PredictorParameters): Buffer {
  const { predictor, colors, bitsPerComponent, columns } = parameters
  if (predictor === 1) return data
  const rowBytes = Math.ceil((colors * bitsPerComponent * columns) / 8)
  if (!(rowBytes >= 1 && rowBytes <= MAX_ROW_BYTES)) throw malformed('the parameters of its compressed data are damaged')
  const pixelBytes = Math.max(1, Math.floor((colors * bitsPerComponent) / 8))
  if (predictor === 2 && bitsPerComponent === 8) return undoTiff(data, rowBytes, pixelBytes)
  if (predictor >= 10 && predictor <= 15) return undoPng(data, rowBytes, pixelBytes)
  throw malformed('the parameters of its compressed data are damaged')
}

function undoTiff(data: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const output = Buffer.from(data)
  for (let at = 0; at < output.length; at++) {
    if (at % rowBytes >= pixelBytes) output[at] = (output[at] ?? 0) + (output[at - pixelBytes] ?? 0)
  }
  return output
}

function undoPng(data: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows = Math.ceil(data.length / (rowBytes + 1))
  const output = Buffer.alloc(data.length - rows)
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1)
    const line = data.subarray(from + 1, from + 1 + rowBytes)
    const to = row * rowBytes
    line.copy(output, to)
    undoPngRow(
      data[from] ?? 0,
      output.subarray(Math.max(0, to - rowBytes), to),
      output.subarray(to, to + line.length),
      pixelBytes,
    )
  }
  return output
}

/** Undoes one row in place; `above` is empty for the first one. */
function undoPngRow(filter: number, above: Buffer, line: Buffer, pixelBytes: number): void {
  if (filter === 0) return
  if (filter > 4) throw malformed('its compressed data is damaged')
  for (let at = 0; at < line.length; at++) {
    const left = at < pixelBytes ? 0 : (line[at - pixelBytes] ?? 0)
    const up = above[at] ?? 0
    const upLeft = at < pixelBytes ? 0 : (above[at - pixelBytes] ?? 0)
    line[at] = (line[at] ?? 0) + prediction(filter, left, up, upLeft)
  }
}

function prediction(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const estimate = left + up - upLeft
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toUpLeft = Math.abs(estimate - upLeft)
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}
