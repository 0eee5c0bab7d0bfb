// Where the seals of one signer will be, as a viewer shows the page.
import { plannedPage } from '../plan/seal-plan.ts'
import { type Inspected, placeSeals } from './place-seals.ts'
import { type Matrix, toView, viewPage } from './page-view.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from './seal-box.ts'

export interface SealArea {
  /** Counted from 1. */
  page: number
  /** The lower left corner, in PDF points of the shown page from its own lower left corner. */
  x: number
  y: number
  width: number
  height: number
}

/** The areas of the signer's seals when all signers with these sign orders have signed; a slanted seal is inside its area. */
export function findSealAreas(inspection: Inspected, signOrders: readonly number[], ownOrder: number): SealArea[] {
  const signers = signOrders.map((signOrder) => ({ signOrder }))
  return placeSeals(inspection, signers)
    .filter(({ form }) => signOrders[form] === ownOrder)
    .map(({ page, matrix }) => ({ page: page + 1, ...areaOf(inspection, page, matrix) }))
}

function areaOf({ plan }: Inspected, page: number, [a, b, c, d, e, f]: Matrix): Omit<SealArea, 'page'> {
  const view = viewPage(plannedPage(plan, page))
  const corners = [0, SEAL_WIDTH].flatMap((x) =>
    [0, SEAL_HEIGHT].map((y) => toView(view, { x: a * x + c * y + e, y: b * x + d * y + f })),
  )
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  return {
    x: rounded(left),
    y: rounded(bottom),
    width: rounded(Math.max(...xs) - left),
    height: rounded(Math.max(...ys) - bottom),
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
