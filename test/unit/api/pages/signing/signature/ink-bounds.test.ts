import { fc } from '../../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { base64Bytes, findInkBounds, growBounds, shrinkFactor } from '../../../../../../api/pages/signing/signature/ink-bounds.ts'

/** RGBA pixels of a picture drawn in letters: `#` is full ink, `.` its faint edge, anything else paper. */
function picture(rows: string[]): Uint8ClampedArray {
  const alphas = rows.flatMap((row) => Array.from(row, (pixel) => ({ '#': 255, '.': 5 })[pixel] ?? 0))
  return new Uint8ClampedArray(alphas.flatMap((alpha) => [20, 38, 77, alpha]))
}

describe('the box around the ink', () => {
  test('touches it on every side', () => {
    expect(findInkBounds(picture(['      ', '  #   ', '   ## ', '      ']), 6, 4)).toEqual({ x: 2, y: 1, width: 3, height: 2 })
  })

  test('leaves the faint edges out', () => {
    expect(findInkBounds(picture(['....', '.#..', '....']), 4, 3)).toEqual({ x: 1, y: 1, width: 1, height: 1 })
  })

  test('is undefined for an empty picture', () => {
    expect(findInkBounds(picture(['   ', ' . ']), 3, 2)).toBeUndefined()
  })

  test('holds every pixel of ink and no row or column without', () => {
    const pictures = fc.array(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(pictures, (rows) => {
        const pixels = picture(rows.map((row) => row.map((isInk) => (isInk ? '#' : ' ')).join('')))
        const inked = rows.flatMap((row, y) => row.flatMap((isInk, x) => (isInk ? [{ x, y }] : [])))
        const bounds = findInkBounds(pixels, 7, rows.length)
        if (!bounds) return inked.length === 0
        const { x, y, width, height } = bounds
        return (
          Math.min(...inked.map((pixel) => pixel.x)) === x &&
          Math.max(...inked.map((pixel) => pixel.x)) === x + width - 1 &&
          Math.min(...inked.map((pixel) => pixel.y)) === y &&
          Math.max(...inked.map((pixel) => pixel.y)) === y + height - 1
        )
      }),
    )
  })
})

test('the margin ends at the edges of the picture', () => {
  expect(growBounds({ x: 2, y: 50, width: 10, height: 10 }, 8, { width: 100, height: 64 })).toEqual({
    x: 0,
    y: 42,
    width: 20,
    height: 22,
  })
})

test.each([
  [{ width: 600, height: 200 }, 1],
  [{ width: 2400, height: 200 }, 0.5],
  [{ width: 600, height: 2000 }, 0.25],
])('a picture of %o shrinks by %d to fit', (size, factor) => {
  expect(shrinkFactor(size, { width: 1200, height: 500 })).toBe(factor)
})

test('the bytes behind a base64 text are counted without decoding it', () => {
  for (const length of [0, 1, 2, 3, 4, 1000]) expect(base64Bytes(Buffer.alloc(length, 7).toString('base64'))).toBe(length)
})
