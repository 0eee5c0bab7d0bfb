// PNG row filters (W3C PNG, clause 9), which are also PDF predictors (ISO 32000-2, 7.4.4.4): a row is stored as the difference from its neighbours.

/** Undoes one row in place; `above` is empty for the first row. Returns false for an unknown filter. */
export function unfilterRow(filter: number, line: Buffer, above: Buffer, pixelBytes: number): boolean {
  if (filter > 4) return false
  if (filter === 0) return true
  for (let at = 0; at < line.length; at++) {
    const left = at < pixelBytes ? 0 : (line[at - pixelBytes] ?? 0)
    const up = above[at] ?? 0
    const upLeft = at < pixelBytes ? 0 : (above[at - pixelBytes] ?? 0)
    line[at] = (line[at] ?? 0) + prediction(filter, left, up, upLeft)
  }
  return true
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
