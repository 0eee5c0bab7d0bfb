// Builds inspections for placement tests and checks placements with its own geometry.
import { expect } from 'vitest'
import type { Marker } from '#core/pdf/placement/marker-text.ts'
import type { PageBoxes } from '#core/pdf/read/page-boxes.ts'
import type { PageInk } from '#core/pdf/placement/ink-grid.ts'
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import type { PlannedPage } from '#core/pdf/plan/plan-page.ts'
import type { placeSeals } from '#core/pdf/placement/place-seals.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'

export type Placed = ReturnType<typeof placeSeals>[number]
export type Point = [number, number]

export const A4: PageBoxes = { mediaBox: [0, 0, 595, 842], cropBox: [0, 0, 595, 842], rotate: 0, userUnit: 1 }

export function inspection(pages: PageBoxes[], markers: Partial<Marker>[], signatures = 0, ink: PageInk[] = []) {
  const page = (boxes: PageBoxes, index: number): PlannedPage => ({
    ...boxes,
    index,
    num: 1,
    gen: 0,
    unchanged: '',
    replaceable: '',
    annots: '',
    annotsObject: null,
    drawing: null,
  })
  const plan: SealPlan = {
    length: 0,
    endsWithNewline: true,
    base: 0,
    startxref: 0,
    xrefKind: 'table',
    size: 1,
    pageCount: pages.length,
    root: '',
    info: null,
    fileId: null,
    fieldName: 'Sealwright',
    signatures,
    formUpdates: [],
    lockedFields: null,
    fillableFields: 0,
    scriptsDropped: 0,
    pages: pages.map(page),
  }
  const whole = markers.map((marker) => ({ signOrder: 1, page: 0, x: 0, y: 0, angle: 0, height: 10, ...marker }))
  return { markers: whole, plan, pageCount: pages.length, certification: null, ink }
}

export function signers(count: number) {
  return Array.from({ length: count }, (_, index) => ({ signOrder: index + 1 }))
}

/** The corners in user space, counter-clockwise from the lower left of the seal. */
export function cornersOf({ matrix: [a, b, c, d, e, f] }: Placed): Point[] {
  const at = (x: number, y: number): Point => [a * x + c * y + e, b * x + d * y + f]
  return [at(0, 0), at(SEAL_WIDTH, 0), at(SEAL_WIDTH, SEAL_HEIGHT), at(0, SEAL_HEIGHT)]
}

/** An independent check: the distance of a point from each edge, positive to its left; at most 0 for a point outside. */
export function depth(corners: Point[], [x, y]: Point): number {
  const sides = corners.map(([x1, y1], index) => {
    const [x2, y2] = corners[(index + 1) % 4]!
    return ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / Math.hypot(x2 - x1, y2 - y1)
  })
  return Math.min(...sides)
}

/** Convex polygons overlap when a point of one is inside the other or edges cross: samples points densely along edges and across. */
export function overlaps(one: Point[], other: Point[]): boolean {
  const samples = (corners: Point[]): Point[] => {
    const [o, p, q] = [corners[0]!, corners[1]!, corners[3]!]
    const steps = Array.from({ length: 13 }, (_, index) => 0.001 + (index / 12) * 0.998)
    return steps.flatMap((u) =>
      steps.map((v): Point => [o[0] + u * (p[0] - o[0]) + v * (q[0] - o[0]), o[1] + u * (p[1] - o[1]) + v * (q[1] - o[1])]),
    )
  }
  return samples(one).some((point) => depth(other, point) > 1e-4) || samples(other).some((point) => depth(one, point) > 1e-4)
}

export function expectSound(placements: Placed[], pages: PageBoxes[]): void {
  for (const placement of placements) {
    const [left, bottom, right, top] = pages[placement.page]!.cropBox
    for (const [x, y] of cornersOf(placement)) {
      expect(x).toBeGreaterThanOrEqual(left - 1e-4)
      expect(x).toBeLessThanOrEqual(right + 1e-4)
      expect(y).toBeGreaterThanOrEqual(bottom - 1e-4)
      expect(y).toBeLessThanOrEqual(top + 1e-4)
    }
    const [a, b, c, d] = placement.matrix
    expect(a * d - b * c, 'not mirrored').toBeGreaterThan(0)
    expect(Math.abs(a * c + b * d), 'not skewed').toBeLessThan(1e-6)
  }
  for (const [index, one] of placements.entries()) {
    for (const other of placements.slice(index + 1)) {
      if (one.page === other.page) expect(overlaps(cornersOf(one), cornersOf(other)), JSON.stringify([one, other])).toBe(false)
    }
  }
}
