// Leads through the outlines of the signature fields in the order of the document.
import { type RefObject, useCallback, useRef } from 'react'

/** A function that scrolls to the next outline inside `reader` and gives it the focus; after the last one it starts again. */
export function useNextMarker(reader: RefObject<HTMLElement | null>): () => void {
  const next = useRef(0)
  return useCallback(() => {
    const outlines = reader.current?.querySelectorAll<HTMLElement>('.page-marker')
    if (!outlines || outlines.length === 0) return
    const outline = outlines[next.current % outlines.length]
    next.current += 1
    outline?.scrollIntoView({ block: 'center', inline: 'center' })
    outline?.focus({ preventScroll: true })
  }, [reader])
}
