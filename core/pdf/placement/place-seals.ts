// Decides which seal goes where in a document: at every marker of its signer, else on the last page. Uses the inspection only. Spec, "Seal placement in a PDF".
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import { FORM_FILLING_ONLY } from '#core/pdf/inspect/certification.ts'
import type { Inspection, Marker } from '#core/pdf/inspect/inspection.ts'
import { needsOnePage, plannedPage } from '#core/pdf/plan/seal-plan.ts'
import { compose, type PageView, toView, viewPage } from './page-view.ts'
import { type Anchor, placeAtMarkers } from './seal-at-markers.ts'
import { boxMatrix, type SealBox } from './seal-box.ts'
import { stackAtBottom } from './seal-grid.ts'

interface SignedMarker {
  /** Index of the signer, which is the index of the form. */
  form: number
  marker: Marker
}

/** Text within this many degrees of straight counts as straight. */
const STRAIGHT = 0.5

/**
 * Placements for all signers of an envelope in this document; `form` is the index into `signers`. Every signer gets at least one seal;
 * seals are inside the visible page, never overlap, read upright and follow the direction of their marker. Where needsOnePage holds, they
 * go on the first page with a marker of every signer, else on the last. A visible seal would break a certification that permits only form
 * filling (ISO 32000-2, table 257, P=2): then there are none and the signature field is hidden.
 */
export function placeSeals(
  { markers, plan, pageCount, certification }: Pick<Inspection, 'markers' | 'plan' | 'pageCount' | 'certification'>,
  signers: readonly { readonly signOrder: number }[],
): Placement[] {
  if (certification === FORM_FILLING_ONLY) return []
  const lastPage = pageCount - 1
  const all = signers.flatMap(({ signOrder }, form) =>
    markers.filter((marker) => marker.signOrder === signOrder).map((marker) => ({ form, marker })),
  )
  const usedPage = needsOnePage(plan) ? (pageWithAll(all, signers.length) ?? lastPage) : undefined
  const used = all.filter(({ marker }) => usedPage === undefined || marker.page === usedPage)
  const unmarked = [...signers.keys()].filter((form) => !used.some((signed) => signed.form === form))
  const pages = new Set([...used.map(({ marker }) => marker.page), ...(unmarked.length > 0 ? [lastPage] : [])])
  return [...pages].flatMap((page) => {
    const view = viewPage(plannedPage(plan, page))
    return placeOnPage(
      view,
      used.filter(({ marker }) => marker.page === page),
      page === lastPage ? unmarked : [],
    ).map(({ form, box }) => ({ form, page, matrix: compose(boxMatrix(box), view.toUserSpace) }))
  })
}

function placeOnPage(
  view: PageView,
  marked: readonly SignedMarker[],
  unmarked: readonly number[],
): { form: number; box: SealBox }[] {
  const boxes = placeAtMarkers(
    view,
    marked.map(({ marker }) => anchorOf(view, marker)),
    marked.length + unmarked.length,
  )
  const stacked = stackAtBottom(view, unmarked.length, boxes)
  const forms = [...marked.map(({ form }) => form), ...unmarked]
  return [...boxes, ...stacked].map((box, index) => ({ form: forms[index] ?? 0, box }))
}

function anchorOf(view: PageView, marker: Marker): Anchor {
  const [a, b] = view.toUserSpace
  const turned = marker.angle - (Math.atan2(b, a) * 180) / Math.PI
  const straight = Math.round(turned / 90) * 90
  const unit = Math.hypot(a, b)
  return {
    origin: toView(view, marker),
    angle: Math.abs(turned - straight) < STRAIGHT ? straight : turned,
    height: marker.height / unit,
  }
}

function pageWithAll(marked: readonly SignedMarker[], signerCount: number): number | undefined {
  const pages = [...new Set(marked.map(({ marker }) => marker.page))].toSorted((a, b) => a - b)
  return pages.find(
    (page) => new Set(marked.filter(({ marker }) => marker.page === page).map(({ form }) => form)).size === signerCount,
  )
}
