// What an upload's inspection stores of the seals: where they go, and the areas that the signing page draws over the page as a viewer shows it.
import { describe, expect, test } from 'vitest'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { placeStored, planPlaces } from '#core/pdf/placement/plan-places.ts'
import { findSeals, type SealArea } from '#core/pdf/placement/seal-places.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { A4, inspection } from './placements.ts'

const cropped: PageBoxes = { ...A4, cropBox: [50, 40, 545, 802] }

/** Of the signer's seals when all signers with these sign orders have signed. */
function findSealAreas(inspected: ReturnType<typeof inspection>, signOrders: number[], own: number): SealArea[] {
  const seals = findSeals(planPlaces(inspected).places, signOrders) ?? []
  return seals.filter(({ form }) => signOrders[form] === own).map(({ area }) => area)
}

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

describe('the stored places', () => {
  const two = [
    { signOrder: 1, page: 0, x: 100, y: 400 },
    { signOrder: 2, page: 1, x: 100, y: 600 },
  ]
  const tenth = [{ signOrder: 10, page: 1, x: 100, y: 400 }]
  const sets: [string, Partial<Marker>[], number[]][] = [
    ['one of two signers with markers', two, [1]],
    ['the signers of all markers', two, [1, 2]],
    ['more signers than markers', two, [1, 2, 3, 4]],
    ['signers without any marker', [], [1, 2, 3]],
    ['sign orders with gaps', [], [5, 17]],
    ['a marker of the second signer only', [{ signOrder: 2, page: 0, x: 100, y: 400 }], [1, 2]],
    ['a high sign order', tenth, [10]],
    ['a high sign order after lower ones', tenth, [3, 7, 10]],
  ]
  test.each(sets)('of %s are those that a search finds', (_name, markers, signOrders) => {
    const inspected = inspection([A4, A4], markers)
    const { places } = planPlaces(inspected)
    const { places: stored } = JSON.parse(JSON.stringify({ places }))
    const found = findSeals(stored, signOrders)
    expect(found).toEqual(placeStored(inspected, signOrders))
    const searched = placeSeals(
      inspected,
      signOrders.map((signOrder) => ({ signOrder })),
    )
    expect(found).toMatchObject(searched.map(({ form, page, matrix, layout }) => ({ form, page, matrix, layout })))
    expect(new Set(found!.map(({ form }) => form)).size).toBe(signOrders.length)
  })

  test.each([
    ['many signers', [], [1, 2, 3, 4, 5]],
    ['only the second of two signers with markers', two, [2]],
  ])('do not have %s, who are searched for', (_name, markers, signOrders) => {
    expect(findSeals(planPlaces(inspection([A4, A4], markers)).places, signOrders)).toBeUndefined()
  })

  test('are those of all signers alone when there are very many markers', () => {
    const markers = Array.from({ length: 120 }, (_, index) => ({
      signOrder: 1 + (index % 2),
      page: 0,
      x: 4 * index,
      y: 5 * index,
    }))
    const { places } = planPlaces(inspection([A4], markers))
    expect(places.sets.map(({ signers, seals }) => [signers, seals.length])).toEqual([[[1, 2], 120]])
  })
})
