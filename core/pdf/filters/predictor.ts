// Undoes the predictors of Flate and LZW (ISO 32000-2, 7.4.4.4): PNG filters by row, and TIFF differencing of whole bytes.
import { unfilterRow } from '#core/png/unfilter-row.ts'
import { malformed } from '../pdf-error.ts'

export interface PredictorParameters {
  readonly predictor: number
  readonly colors: number
  readonly bitsPerComponent: number
  readonly columns: number
}

const MAX_ROW_BYTES = 1 << 24

/** Returns the data without prediction; a truncated last row is decoded as far as it goes. */
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
    const above = output.subarray(Math.max(0, to - rowBytes), to)
    const known = unfilterRow(data[from] ?? 0, output.subarray(to, to + line.length), above, pixelBytes)
    if (!known) throw malformed('its compressed data is damaged')
  }
  return output
}
