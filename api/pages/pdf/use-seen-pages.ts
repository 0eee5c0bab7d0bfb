// Watches which drawn pages a reader has seen. Measures on a timer, because bars that cover pages change with layout and scrolling.
import { type RefObject, useEffect } from 'react'
import { isPageVisible, newSeenPages, type Span } from './seen-pages.ts'

const MEASURE_MS = 250

/** Calls `onSeen` once for each page inside `reader` that was seen. */
export function useSeenPages(reader: RefObject<HTMLElement | null>, onSeen: (pageNumber: number) => void): void {
  useEffect(() => {
    const findSeen = newSeenPages()
    const timer = setInterval(() => {
      for (const page of findSeen(findVisible(reader.current), performance.now())) onSeen(page)
    }, MEASURE_MS)
    return () => clearInterval(timer)
  }, [reader, onSeen])
}

function findVisible(reader: HTMLElement | null): number[] {
  if (!reader || document.visibilityState !== 'visible' || isCovered()) return []
  const uncovered = uncoveredSpan(reader)
  const pages = [...reader.querySelectorAll<HTMLElement>('.pdf-page[data-drawn-page]')]
  return pages
    .filter((page) => isPageVisible(page.getBoundingClientRect(), uncovered))
    .map((page) => Number(page.dataset['drawnPage']))
}

/** True while a dialog, or the details of a small window, lies over the pages. */
function isCovered(): boolean {
  const details = document.querySelector('.reading-details[data-open="true"]')
  const isOver = details !== null && getComputedStyle(details).position === 'absolute'
  return isOver || document.querySelector('[role="dialog"]') !== null
}

/** The window without the reader's toolbar and without the bar of the next step where that is fixed. */
function uncoveredSpan(reader: HTMLElement): Span {
  const toolbar = reader.querySelector('.reader-toolbar')
  const bar = document.querySelector('.next-step')
  const isFixed = bar !== null && getComputedStyle(bar).position === 'fixed'
  return {
    top: Math.max(0, toolbar?.getBoundingClientRect().bottom ?? 0),
    bottom: isFixed ? bar.getBoundingClientRect().top : window.innerHeight,
  }
}
