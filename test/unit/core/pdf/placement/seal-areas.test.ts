// The signing page draws these areas over the page as a viewer shows it.
import { describe, expect, test } from 'vitest'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import { findSealAreas } from '#core/pdf/placement/seal-areas.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { A4, inspection } from './placements.ts'

const cropped: PageBoxes = { ...A4, cropBox: [50, 40, 545, 802] }
const size = { width: SEAL_WIDTH, height: SEAL_HEIGHT }

describe('the area of a seal at a marker', () => {
  const cases: [string, PageBoxes, { x: number; y: number; angle: number }, { x: number; y: number }][] = [
    ['on an upright page', A4, { x: 100, y: 400, angle: 0 }, { x: 98, y: 397 }],
    ['counts from the crop box', cropped, { x: 100, y: 400, angle: 0 }, { x: 48, y: 357 }],
    ['on a page that is rotated for display', { ...A4, rotate: 90 }, { x: 200, y: 300, angle: 90 }, { x: 298, y: 392 }],
    ['is in points whatever the unit', { ...A4, userUnit: 2 }, { x: 100, y: 400, angle: 0 }, { x: 198, y: 794 }],
  ]
  test.each(cases)('%s', (_name, page, marker, at) => {
    const found = findSealAreas(inspection([A4, page], [{ ...marker, page: 1, signOrder: 2 }]), [1, 2], 2)
    expect(found).toEqual([{ page: 2, x: expect.closeTo(at.x, 0), y: expect.closeTo(at.y, 0), ...size }])
  })

  test('only the seals of this signer count, on every page with one', () => {
    const markers = [
      { signOrder: 1, page: 0, x: 100, y: 400 },
      { signOrder: 2, page: 0, x: 100, y: 600 },
      { signOrder: 2, page: 1, x: 100, y: 400 },
    ]
    expect(findSealAreas(inspection([A4, A4], markers), [1, 2], 2).map(({ page }) => page)).toEqual([1, 2])
  })
})

test('a signer without a marker has an area on the last page', () => {
  expect(findSealAreas(inspection([A4, A4], []), [1], 1)).toEqual([expect.objectContaining({ page: 2, ...size })])
})
