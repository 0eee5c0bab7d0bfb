// Seals are placed at their markers, else on the last page; never outside the page, never overlapping, always upright for the reader.
import { fc, runs } from '../../../../support/builders/properties.ts'
import { describe, expect, it } from 'vitest'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { A4, cornersOf, depth, expectSound, inspection, signers } from './placements.ts'

const rotations = fc.constantFrom<PageBoxes['rotate'][]>(0, 90, 180, 270)
const pages = fc
  .record({
    left: fc.double({ min: -500, max: 500, noNaN: true }),
    bottom: fc.double({ min: -500, max: 500, noNaN: true }),
    width: fc.double({ min: 20, max: 2000, noNaN: true }),
    height: fc.double({ min: 20, max: 2000, noNaN: true }),
    rotate: rotations,
    userUnit: fc.constantFrom(1, 0.5, 2, 10),
  })
  .map(({ left, bottom, width, height, rotate, userUnit }): PageBoxes => {
    const cropBox = [left, bottom, left + width, bottom + height] as const
    return { mediaBox: [left - 10, bottom - 10, left + width + 10, bottom + height + 10], cropBox, rotate, userUnit }
  })
const markersOn = (count: number) =>
  fc.array(
    fc.record({
      signOrder: fc.integer({ min: 1, max: count }),
      u: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
      v: fc.double({ min: -0.2, max: 1.2, noNaN: true }),
      angle: fc.oneof(fc.constantFrom(0, 90, 180, -90), fc.double({ min: -179, max: 180, noNaN: true })),
      height: fc.double({ min: 0, max: 60, noNaN: true }),
    }),
    { maxLength: 12 },
  )

describe('all placements', () => {
  it('are found on pages of any size that viewers can show, for fifty signers', () => {
    const side = fc.oneof(
      fc.double({ min: 0.1, max: 10_000_000, noNaN: true }),
      fc.constantFrom(0.1, 14_400, 400_000, 10_000_000),
    )
    const odd = fc.record({ width: side, height: side, userUnit: fc.constantFrom(0.001, 1, 75_000) })
    fc.assert(
      fc.property(odd, fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 10 }), ({ width, height, userUnit }, marked) => {
        const box = [0, 0, width, height] as const
        const page: PageBoxes = { mediaBox: box, cropBox: box, rotate: 0, userUnit }
        const markers = marked.map((signOrder): Marker => ({
          signOrder,
          page: 0,
          x: width / 2,
          y: height / 2,
          angle: 0,
          height: 9,
        }))
        const placements = placeSeals(inspection([page], markers), signers(50))
        expect(new Set(placements.map(({ form }) => form)).size).toBe(50)
        expect(placements.flatMap(({ matrix }) => matrix).every(Number.isFinite)).toBe(true)
      }),
      { numRuns: runs(20) },
    )
  })

  it('are inside the page, upright and apart, at least one for every signer', () => {
    fc.assert(
      fc.property(
        fc.array(pages, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 8 }),
        markersOn(8),
        fc.integer({ min: 0, max: 1 }),
        (boxes, count, seeds, signatures) => {
          const markers = seeds.map(({ u, v, ...marker }, index) => {
            const page = index % boxes.length
            const [left, bottom, right, top] = boxes[page]!.cropBox
            return { ...marker, page, x: left + u * (right - left), y: bottom + v * (top - bottom) }
          })
          const placements = placeSeals(inspection(boxes, markers, signatures), signers(count))
          expectSound(placements, boxes)
          expect(new Set(placements.map(({ form }) => form)).size).toBe(count)
          if (signatures > 0) expect(new Set(placements.map(({ page }) => page)).size).toBe(1)
        },
      ),
      { numRuns: runs(60) },
    )
  })

  // Closer to an edge a seal slides into the page, where two close seals may need the same position.
  it('cover the origins of markers at least a line apart and a seal away from the edges', () => {
    fc.assert(
      fc.property(pages, markersOn(6), (boxes, seeds) => {
        const margin = SEAL_WIDTH / boxes.userUnit
        const [left, bottom, right, top] = boxes.cropBox
        fc.pre(right - left >= 2 * margin && top - bottom >= 2 * margin)
        const apart = 14 / boxes.userUnit
        const markers: Partial<Marker>[] = []
        for (const { u, v, ...marker } of seeds) {
          const [x, y] = [
            left + margin + Math.min(Math.max(u, 0), 1) * (right - left - 2 * margin),
            bottom + margin + Math.min(Math.max(v, 0), 1) * (top - bottom - 2 * margin),
          ]
          if (markers.every((other) => Math.hypot(other.x! - x, other.y! - y) >= apart)) markers.push({ ...marker, x, y })
        }
        const placements = placeSeals(inspection([boxes], markers), signers(6))
        for (const { signOrder, x, y } of markers) {
          const own = placements.filter(({ form }) => form === signOrder! - 1)
          expect(Math.max(...own.map((placement) => depth(cornersOf(placement), [x!, y!])))).toBeGreaterThan(-1e-4)
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('are upright on a rotated page', () => {
    for (const rotate of [0, 90, 180, 270] as const) {
      const [a, b] = placeSeals(inspection([{ ...A4, rotate }], []), signers(1))[0]!.matrix
      const degrees = (Math.atan2(b, a) * 180) / Math.PI
      // The page is displayed clockwise, so the seal is rotated counter-clockwise in page space.
      expect((degrees + 360) % 360).toBeCloseTo(rotate)
    }
  })
})

describe('at a marker', () => {
  it('the seal starts at the text, covers its braces and has its full size', () => {
    const [seal] = placeSeals(inspection([A4], [{ x: 100, y: 400, height: 12 }]), signers(1))
    expect(seal!.matrix).toEqual([1, 0, 0, 1, expect.closeTo(98), expect.closeTo(396.4)])
  })

  it('the seal slides into the page only as far as necessary', () => {
    const [seal] = placeSeals(inspection([A4], [{ x: 500, y: 830 }]), signers(1))
    expect(seal!.matrix).toEqual([1, 0, 0, 1, expect.closeTo(595 - SEAL_WIDTH), expect.closeTo(842 - SEAL_HEIGHT)])
  })

  it('the seal follows the direction of the text', () => {
    const [seal] = placeSeals(inspection([A4], [{ x: 300, y: 300, angle: 90 }]), signers(1))
    expect(seal!.matrix.slice(0, 4)).toEqual([0, 1, -1, 0])
    const [slanted] = placeSeals(inspection([A4], [{ x: 300, y: 300, angle: 30 }]), signers(1))
    expect(slanted!.matrix[1] / slanted!.matrix[0]).toBeCloseTo(Math.tan(Math.PI / 6))
    const [crooked] = placeSeals(inspection([A4], [{ x: 300, y: 300, angle: 0.2 }]), signers(1))
    expect(crooked!.matrix[1]).toBe(0)
  })

  it('the seal has the same size on paper whatever the unit of the page', () => {
    const [seal] = placeSeals(inspection([{ ...A4, userUnit: 10 }], [{ x: 100, y: 400 }]), signers(1))
    expect(seal!.matrix[0]).toBeCloseTo(0.1)
  })

  it('every marker of a signer gets a seal, on all pages', () => {
    const markers = [
      { page: 0, x: 100, y: 100 },
      { page: 2, x: 50, y: 700 },
    ]
    const placements = placeSeals(inspection([A4, A4, A4], markers), signers(1))
    expect(placements.map(({ page, form }) => [page, form])).toEqual([
      [0, 0],
      [2, 0],
    ])
  })

  it('two seals side by side keep their full size', () => {
    const placements = placeSeals(
      inspection(
        [A4],
        [
          { signOrder: 1, x: 60, y: 200 },
          { signOrder: 2, x: 320, y: 200 },
        ],
      ),
      signers(2),
    )
    expect(placements.map(({ matrix }) => matrix[0])).toEqual([1, 1])
  })

  it('up to four markers on one spot all meet in it', () => {
    const markers = [1, 2, 3, 4].map((signOrder) => ({ signOrder, x: 300, y: 400 }))
    const placements = placeSeals(inspection([A4], markers), signers(4))
    expectSound(placements, [A4])
    for (const placement of placements) {
      expect(depth(cornersOf(placement), [300, 400])).toBeCloseTo(0)
      expect(placement.matrix[0]).toBe(1)
    }
  })

  it('fifty markers on one spot still get fifty separate seals', () => {
    const markers = signers(50).map(({ signOrder }) => ({ signOrder, x: 300, y: 400 }))
    const placements = placeSeals(inspection([A4], markers), signers(50))
    expect(placements).toHaveLength(50)
    expectSound(placements, [A4])
  })

  it('a list of markers line by line keeps every seal at its line', () => {
    const markers = signers(20).map(({ signOrder }) => ({ signOrder, x: 72, y: 700 - signOrder * 14 }))
    const placements = placeSeals(inspection([A4], markers), signers(20))
    expectSound(placements, [A4])
    for (const [index, placement] of placements.entries()) {
      expect(depth(cornersOf(placement), [72, markers[index]!.y])).toBeGreaterThan(-1e-4)
    }
  })

  it('markers without a signer are ignored', () => {
    const placements = placeSeals(
      inspection(
        [A4],
        [
          { signOrder: 7, x: 100, y: 100 },
          { signOrder: 1, x: 100, y: 500 },
        ],
      ),
      signers(1),
    )
    expect(placements).toHaveLength(1)
  })

  it('the order of the seals is the order of the signers given, whatever their signOrder', () => {
    const placements = placeSeals(inspection([A4], [{ signOrder: 30, x: 100, y: 500 }]), [{ signOrder: 30 }, { signOrder: 2 }])
    expect(placements.map(({ form }) => form)).toEqual([0, 1])
    expect(placements[0]!.matrix[5]).toBeGreaterThan(400)
  })
})

describe('without a marker', () => {
  it('seals are at the foot of the last page, left to right', () => {
    const placements = placeSeals(inspection([A4, A4], [{ signOrder: 1, x: 100, y: 700 }]), signers(3))
    expect(placements.map(({ page }) => page)).toEqual([0, 1, 1])
    const [, second, third] = placements
    expect(second!.matrix).toEqual([1, 0, 0, 1, expect.closeTo(29.75), expect.closeTo(29.75)])
    expect(third!.matrix).toEqual([1, 0, 0, 1, expect.closeTo(29.75 + 222), expect.closeTo(29.75)])
  })

  it('eight seals stay in the lower third and readable', () => {
    const placements = placeSeals(inspection([A4], []), signers(8))
    expectSound(placements, [A4])
    for (const placement of placements) {
      expect(Math.max(...cornersOf(placement).map(([, y]) => y))).toBeLessThan(842 * 0.31)
      expect(placement.matrix[0]).toBeGreaterThan(0.6)
    }
  })

  it('fifty seals fit on one page', () => {
    const placements = placeSeals(inspection([A4], []), signers(50))
    expect(placements).toHaveLength(50)
    expectSound(placements, [A4])
    expect(placements[0]!.matrix[0]).toBeGreaterThan(0.5)
  })

  it('they do not overlap the seals at markers', () => {
    const placements = placeSeals(inspection([A4], [{ signOrder: 1, x: 40, y: 40 }]), signers(4))
    expectSound(placements, [A4])
    expect(placements[0]!.matrix.slice(4)).toEqual([expect.closeTo(38), expect.closeTo(37)])
  })

  it('fifty seals fit on a page smaller than one of them', () => {
    const tiny: PageBoxes = { mediaBox: [0, 0, 60, 30], cropBox: [0, 0, 60, 30], rotate: 90, userUnit: 1 }
    const markers = [{ signOrder: 1, x: 10, y: 10 }]
    const placements = placeSeals(inspection([tiny], markers), signers(50))
    expect(placements).toHaveLength(50)
    expectSound(placements, [tiny])
  })
})

describe('where all seals must be on one page', () => {
  const everyone = [
    { signOrder: 1, page: 1, x: 50, y: 300 },
    { signOrder: 2, page: 1, x: 300, y: 300 },
  ]

  it('it is the page with a marker of every signer', () => {
    const placements = placeSeals(inspection([A4, A4, A4], [{ signOrder: 1, page: 0, x: 9, y: 9 }, ...everyone], 1), signers(2))
    expect(placements.map(({ page, form }) => [page, form])).toEqual([
      [1, 0],
      [1, 1],
    ])
  })

  it('it is the last page when no page has a marker of every signer', () => {
    const placements = placeSeals(
      inspection([A4, A4, A4], [...everyone, { signOrder: 3, page: 2, x: 50, y: 300 }], 1),
      signers(3),
    )
    expect(placements.map(({ page, form }) => [page, form])).toEqual([
      [2, 2],
      [2, 0],
      [2, 1],
    ])
    expectSound(placements, [A4, A4, A4])
  })
})

describe('in a certified document', () => {
  it('for form filling only, no seal is visible: it would break the certification', () => {
    expect(placeSeals({ ...inspection([A4], [{ x: 100, y: 100 }], 1), certification: 2 }, signers(2))).toEqual([])
  })

  it('for annotations as well, seals are visible', () => {
    expect(placeSeals({ ...inspection([A4], [], 1), certification: 3 }, signers(2))).toHaveLength(2)
  })
})
