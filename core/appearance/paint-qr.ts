// Paints a QR code as vector squares: sharp at any zoom, one kilobyte when deflated.
import { create } from 'qrcode'

export interface QrSquare {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** A function that paints `text` as a QR code that fills a square of `size` points with its lower left corner at (x, y), without quiet zone. */
export function openQrPainter(text: string): (square: QrSquare) => string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const squares: string[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue
      const start = column
      while (column + 1 < modules.size && modules.get(row, column + 1)) column++
      squares.push(`${start} ${modules.size - 1 - row} ${column + 1 - start} 1 re`)
    }
  }
  const path = squares.join('\n')
  return ({ x, y, size }) => {
    const scale = (size / modules.size).toFixed(5)
    return `q 0 g ${scale} 0 0 ${scale} ${x} ${y} cm\n${path}\nf Q\n`
  }
}
