// The area of a seal, as a viewer shows the page.
import { plannedPage, type SealPlan } from '../plan/seal-plan.ts'
import type { Placement } from '../increment/place-forms.ts'
import { toView, viewPage } from './page-view.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from './seal-box.ts'
import type { SealArea } from './seal-places.ts'

/** A slanted seal is inside its area. */
export function areaOf(plan: SealPlan, { page, matrix: [a, b, c, d, e, f] }: Pick<Placement, 'page' | 'matrix'>): SealArea {
  const view = viewPage(plannedPage(plan, page))
  const corners = [0, SEAL_WIDTH].flatMap((x) =>
    [0, SEAL_HEIGHT].map((y) => toView(view, { x: a * x + c * y + e, y: b * x + d * y + f })),
  )
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  return {
    page: page + 1,
    x: rounded(left),
    y: rounded(bottom),
    width: rounded(Math.max(...xs) - left),
    height: rounded(Math.max(...ys) - bottom),
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
