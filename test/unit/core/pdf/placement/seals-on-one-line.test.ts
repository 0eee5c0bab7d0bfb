// Markers side by side on one line, closer than the width of a seal: the most common contract layout.
import { expect, test } from 'vitest'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { A4, cornersOf, depth, expectSound, inspection, signers } from './placements.ts'

test('seals that are too wide for their line shrink a little, so that each covers its whole marker', () => {
  const letter: PageBoxes = { mediaBox: [0, 0, 612, 792], cropBox: [0, 0, 612, 792], rotate: 0, userUnit: 1 }
  const height = 12
  const markers = [
    { signOrder: 1, x: 100, y: 120, height },
    { signOrder: 2, x: 300, y: 120, height },
  ]
  const placements = placeSeals(inspection([letter], markers), signers(2))
  expectSound(placements, [letter])
  for (const [index, placement] of placements.entries()) {
    const { x, y } = markers[index]!
    // From the descent of the braces to the end of a text as wide as "{{signer1}}".
    for (const [dx, dy] of [
      [0, -0.3 * height],
      [0, height],
      [5 * height, 0],
      [5 * height, height],
    ] as const) {
      expect(depth(cornersOf(placement), [x + dx, y + dy])).toBeGreaterThan(-1e-4)
    }
    expect(placement.matrix[0]).toBeGreaterThan(0.9)
  }
})

test('seals that would shrink by more than a quarter move instead', () => {
  const markers = [
    { signOrder: 1, x: 100, y: 400 },
    { signOrder: 2, x: 240, y: 400 },
  ]
  const placements = placeSeals(inspection([A4], markers), signers(2))
  expectSound(placements, [A4])
  expect(placements.map(({ matrix }) => matrix[0])).toEqual([1, 1])
})
