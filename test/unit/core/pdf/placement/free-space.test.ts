// Seals on pages with other content: they cover nothing but the text of their marker where the page has room.
import { describe, expect, test } from 'vitest'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import { INK, markBox, newInkGrid, packInk, type PageInk } from '#core/pdf/placement/ink-grid.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { planPlaces } from '#core/pdf/placement/plan-places.ts'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import { A4, cornersOf, expectSound, inspection, type Placed, signers } from './placements.ts'

type Box = [number, number, number, number]

const MARKER_HEIGHT = 10
const MARKER_WIDTH = 50

function inkOf(boxes: PageBoxes, ...areas: Box[]): PageInk {
  const grid = newInkGrid(boxes, 2)
  for (const area of areas) markBox(grid, area, INK.TEXT)
  return packInk(0, grid)
}

function marker(signOrder: number, x: number, y: number, angle = 0): Partial<Marker> {
  return { signOrder, x, y, angle, height: MARKER_HEIGHT, width: MARKER_WIDTH }
}

function place(boxes: PageBoxes, markers: Partial<Marker>[], areas: Box[], count: number): Placed[] {
  return placeSeals(inspection([boxes], markers, 0, [inkOf(boxes, ...areas)]), signers(count))
}

function boundsOf(placed: Placed): Box {
  const [xs, ys] = [cornersOf(placed).map(([x]) => x), cornersOf(placed).map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

function share(one: Box, other: Box): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/** The marker is at (200, 400), with its text up to (250, 409). */
const AROUND: [string, Box[]][] = [
  ['nothing', []],
  ['a label 20 points above', [[200, 430, 300, 440]]],
  ['text on the right', [[260, 390, 500, 412]]],
  [
    'text on the left and below',
    [
      [60, 395, 195, 412],
      [60, 380, 500, 392],
    ],
  ],
  [
    'lines above and below, 60 points apart',
    [
      [50, 390, 545, 392],
      [50, 452, 545, 454],
    ],
  ],
  [
    'a cell of 130 by 46 points',
    [
      [190, 394, 192, 442],
      [324, 394, 326, 442],
      [190, 392, 326, 394],
      [190, 442, 326, 444],
    ],
  ],
]

describe('at a marker among other text', () => {
  test.each(AROUND)('a seal beside %s covers the marker and nothing else', (_name, areas) => {
    const [seal] = place(A4, [marker(1, 200, 400)], areas, 1)
    const bounds = boundsOf(seal!)
    for (const area of areas) expect(share(bounds, area), String(area)).toBe(false)
    expect(bounds[0]).toBeLessThanOrEqual(200)
    expect(bounds[1]).toBeLessThanOrEqual(400)
    expect(bounds[2]).toBeGreaterThanOrEqual(250)
    expect(bounds[3]).toBeGreaterThanOrEqual(409)
    expect(bounds[2] - bounds[0]).toBeGreaterThanOrEqual(119.9)
    expect(seal!.overlaps).toBe(false)
    expect(seal!.hidden).toBeDefined()
  })

  test('the same holds on a page that is rotated for display', () => {
    const areas: Box[] = [
      [160, 200, 170, 500],
      [226, 200, 230, 500],
    ]
    const [seal] = place({ ...A4, rotate: 90 }, [marker(1, 200, 300, 90)], areas, 1)
    for (const area of areas) expect(share(boundsOf(seal!), area)).toBe(false)
    expect(seal!.overlaps).toBe(false)
  })

  test('without room it has the smallest size and says so', () => {
    const lines = Array.from({ length: 60 }, (_, line): Box => [40, 60 + line * 12, 555, 69 + line * 12])
    const [seal] = place(A4, [marker(1, 200, 400)], lines, 1)
    expect(boundsOf(seal!)[2] - boundsOf(seal!)[0]).toBeCloseTo(120)
    expect(seal!.overlaps).toBe(true)
    expect(planPlaces(inspection([A4], [marker(1, 200, 400)], 0, [inkOf(A4, ...lines)])).warnings).toEqual([
      { code: 'SEAL_OVERLAPS_TEXT', page: 0, marker: '{{signer1}}', message: expect.stringContaining('page 1') },
    ])
  })

  test('one marker without room does not make the others small', () => {
    const lines = Array.from({ length: 20 }, (_, line): Box => [40, 500 + line * 12, 555, 509 + line * 12])
    const [first, second] = place(A4, [marker(1, 200, 600), marker(2, 200, 200)], lines, 2)
    expect([first!.overlaps, second!.overlaps]).toEqual([true, false])
    expect(boundsOf(second!)[2] - boundsOf(second!)[0]).toBeCloseTo(216)
  })

  test('seals of one line are aligned, whatever is near one of them', () => {
    const label: Box = [60, 430, 120, 440]
    const seals = place(A4, [marker(1, 60, 400), marker(2, 330, 400)], [label, [60, 330, 500, 340]], 2)
    expectSound(seals, [A4])
    const [first, second] = seals.map(boundsOf)
    expect(first![1]).toBeCloseTo(second![1])
    expect(first![3]).toBeCloseTo(second![3])
    for (const bounds of [first!, second!]) expect(share(bounds, label)).toBe(false)
  })
})

describe('without a marker', () => {
  test('seals are one grid in signing order on free room of the page', () => {
    const text: Box[] = [
      [60, 300, 535, 800],
      [250, 30, 340, 40],
    ]
    const seals = place(A4, [], text, 4)
    expectSound(seals, [A4])
    const bounds = seals.map(boundsOf)
    for (const each of bounds) for (const area of text) expect(share(each, area)).toBe(false)
    const inReadingOrder = [...bounds].sort((one, other) => other[1] - one[1] || one[0] - other[0])
    expect(bounds).toEqual(inReadingOrder)
    expect(new Set(bounds.map(([left]) => left.toFixed(2))).size).toBeLessThan(4)
  })

  test('a page that is full gives one warning for the document', () => {
    const full = inkOf(A4, [0, 0, 595, 842])
    expect(planPlaces(inspection([A4], [], 0, [full])).warnings).toEqual([
      { code: 'SEAL_OVERLAPS_TEXT', page: 0, message: expect.stringContaining('page 1') },
    ])
    expect(planPlaces(inspection([A4], [], 0, [inkOf(A4)])).warnings).toEqual([])
  })
})
