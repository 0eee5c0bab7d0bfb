// Which pages a reader has seen: a page counts once enough of it was visible for a second without a break. Uses no browser API.

const DWELL_MS = 1_000

export interface Span {
  top: number
  bottom: number
}

/** True when half of the page is inside the uncovered part of the window, or the page fills half of that part. */
export function isPageVisible(page: Span, uncovered: Span): boolean {
  const visible = Math.min(page.bottom, uncovered.bottom) - Math.max(page.top, uncovered.top)
  return visible > 0 && visible >= Math.min(page.bottom - page.top, uncovered.bottom - uncovered.top) / 2
}

/** A function that takes the pages that are visible now and returns those that have just become seen. */
export function newSeenPages(): (visible: readonly number[], nowMs: number) => number[] {
  let since = new Map<number, number>()
  const seen = new Set<number>()
  return (visible, nowMs) => {
    since = new Map(visible.map((page) => [page, since.get(page) ?? nowMs]))
    const fresh = visible.filter((page) => !seen.has(page) && nowMs - (since.get(page) ?? nowMs) >= DWELL_MS)
    for (const page of fresh) seen.add(page)
    return fresh
  }
}
