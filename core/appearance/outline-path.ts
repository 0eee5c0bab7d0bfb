// A glyph's outline as PDF path operators.
import type { Path } from 'fontkit'

const OPERATORS = { moveTo: 'm', lineTo: 'l', quadraticCurveTo: 'c', bezierCurveTo: 'c', closePath: 'h' } as const

/** The path in font units; the caller scales and fills it. */
export function outlinePath({ commands }: Path): string {
  let from: readonly number[] = []
  return commands
    .map(({ command, args }) => {
      const points = command === 'quadraticCurveTo' ? toCubic(from, args) : args
      from = points.slice(-2)
      return `${points.map((coordinate) => Math.round(coordinate)).join(' ')} ${OPERATORS[command]}\n`
    })
    .join('')
}

// TrueType curves have one control point, PDF curves two: each at two thirds of the way to it.
function toCubic([x0 = 0, y0 = 0]: readonly number[], [cx = 0, cy = 0, x = 0, y = 0]: readonly number[]): number[] {
  return [x0 + ((cx - x0) * 2) / 3, y0 + ((cy - y0) * 2) / 3, x + ((cx - x) * 2) / 3, y + ((cy - y) * 2) / 3, x, y]
}
