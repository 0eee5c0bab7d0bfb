// Decides which seal goes where in a document: at every marker of its signer, else on the last page. Uses the inspection only. Spec, "Seal placement in a PDF".
import type { Placement } from '../increment/place-forms.ts'
import { needsOnePage, plannedPage, type SealPlan } from '../plan/seal-plan.ts'
import { type PageInk, unpackInk } from './ink-grid.ts'
import { bracesInBox, type Marker, markerBoxOf } from './marker-text.ts'
import { compose, viewPage } from './page-view.ts'
import { type PlacedBox, placeOnPage } from './place-on-page.ts'
import { newFreeSpace } from './free-space.ts'
import { boxMatrix, layoutFor } from './seal-box.ts'

/** A visible seal would break a certification of this level (ISO 32000-2, table 257). */
export const FORM_FILLING_ONLY = 2

/** What the inspection found of which the places depend. */
export interface Inspected {
  pageCount: number
  /** Markers in page order and, within a page, in drawing order; each position once. */
  markers: Marker[]
  /** The seal plan for the pages with markers and the last page. */
  plan: SealPlan
  /** Permission level of an earlier certification (ISO 32000-2, table 257); level 1 is refused. */
  certification: 2 | 3 | null
  /** What is on the pages of the plan. */
  ink: PageInk[]
}

export interface PlacedSeal extends Placement {
  /** The marker at which it is; undefined on free space of the last page. */
  readonly marker: Marker | undefined
  /** Whether it covers something other than the text of its marker. */
  readonly overlaps: boolean
}

interface SignedMarker {
  /** Index of the signer, which is the index of the form. */
  form: number
  marker: Marker
}

export interface Signing {
  readonly signOrder: number
}

/** The seals of one page: at markers, and on free space. */
interface PageShare {
  readonly marked: readonly SignedMarker[]
  readonly unmarked: readonly number[]
}

/**
 * Placements for all signers of an envelope in this document; `form` is the index into `signers`. Every signer gets at least one seal;
 * seals are inside the visible page, never overlap, read upright and follow the direction of their marker. Where needsOnePage holds, they
 * go on the first page with a marker of every signer, else on the last. A visible seal would break a certification that permits only form
 * filling (ISO 32000-2, table 257, P=2): then there are none and the signature field is hidden.
 */
export function placeSeals(inspection: Inspected, signers: readonly Signing[]): PlacedSeal[] {
  return placeSets(inspection, [signers])[0] ?? []
}

/** Places the seals of several sets of signers: the ink of each page is read once, and one page's at a time is in memory. */
export function placeSets(inspection: Inspected, sets: readonly (readonly Signing[])[]): PlacedSeal[][] {
  if (inspection.certification === FORM_FILLING_ONLY) return sets.map(() => [])
  const shares = sets.map((signers) => assignPages(inspection, signers))
  const placed = shares.map(() => new Map<number, PlacedSeal[]>())
  for (const page of new Set(shares.flatMap((share) => [...share.keys()]))) {
    const place = openPage(inspection, page)
    for (const [index, share] of shares.entries()) {
      const own = share.get(page)
      if (own) placed[index]?.set(page, place(own))
    }
  }
  return shares.map((share, index) => [...share.keys()].flatMap((page) => placed[index]?.get(page) ?? []))
}

/** Assigns each seal to a page: at its marker, or else to the last one. */
function assignPages({ markers, plan, pageCount }: Inspected, signers: readonly Signing[]): Map<number, PageShare> {
  const lastPage = pageCount - 1
  const all = signers.flatMap(({ signOrder }, form) =>
    markers.filter((marker) => marker.signOrder === signOrder).map((marker) => ({ form, marker })),
  )
  const usedPage = needsOnePage(plan) ? (pageWithAll(all, signers.length) ?? lastPage) : undefined
  const used = all.filter(({ marker }) => usedPage === undefined || marker.page === usedPage)
  const unmarked = [...signers.keys()].filter((form) => !used.some((signed) => signed.form === form))
  const pages = new Set([...used.map(({ marker }) => marker.page), ...(unmarked.length > 0 ? [lastPage] : [])])
  const shareOf = (page: number): PageShare => ({
    marked: used.filter(({ marker }) => marker.page === page),
    unmarked: page === lastPage ? unmarked : [],
  })
  return new Map([...pages].map((page) => [page, shareOf(page)]))
}

/** Equal seals are placed once, whatever their signers are. */
function openPage({ markers, plan, ink }: Inspected, page: number): (share: PageShare) => PlacedSeal[] {
  const view = viewPage(plannedPage(plan, page))
  const grid = ink.find((each) => each.page === page)
  const markerBoxes = new Map(
    markers.filter((marker) => marker.page === page).map((marker) => [marker, markerBoxOf(view, marker)]),
  )
  const space = { view, free: newFreeSpace(view, grid && unpackInk(grid)), texts: [...markerBoxes.values()] }
  const known = new Map<string, PlacedBox[]>()
  const boxesFor = ({ marked, unmarked }: PageShare): PlacedBox[] => {
    const own = marked.flatMap(({ marker }) => markerBoxes.get(marker) ?? [])
    const key = [unmarked.length, ...own.map((markerBox) => space.texts.indexOf(markerBox))].join()
    const boxes = known.get(key) ?? placeOnPage(space, { markers: own, unmarked: unmarked.length })
    known.set(key, boxes)
    return boxes
  }
  return (share) => {
    const forms = [...share.marked.map(({ form }) => form), ...share.unmarked]
    return boxesFor(share).map(({ box, overlaps }, index) => {
      const marker = share.marked[index]?.marker
      const markerBox = marker && markerBoxes.get(marker)
      const matrix = compose(boxMatrix(box), view.toUserSpace)
      const hidden = markerBox && bracesInBox(box, markerBox)
      return { form: forms[index] ?? 0, page, matrix, layout: layoutFor(box.scale), ...(hidden && { hidden }), marker, overlaps }
    })
  }
}

function pageWithAll(marked: readonly SignedMarker[], signerCount: number): number | undefined {
  const pages = [...new Set(marked.map(({ marker }) => marker.page))].toSorted((a, b) => a - b)
  return pages.find(
    (page) => new Set(marked.filter(({ marker }) => marker.page === page).map(({ form }) => form)).size === signerCount,
  )
}
