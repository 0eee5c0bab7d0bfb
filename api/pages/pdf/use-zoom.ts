// Zoom that keeps the reading position: the content in the middle of the window stays there.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { FIT_WIDTH_ZOOM } from './page-size.ts'

interface Place {
  page: Element
  /** The position of the window's middle within the page, 0 to 1. */
  part: number
}

/** The zoom of the pages inside `reader`, and the function that changes it. */
export function useZoom(reader: RefObject<HTMLElement | null>): [number, (zoom: number) => void] {
  const [zoom, setZoom] = useState<number>(FIT_WIDTH_ZOOM)
  const place = useRef<Place>(undefined)

  const changeZoom = useCallback(
    (next: number) => {
      place.current = findPlace(reader.current)
      setZoom(next)
    },
    [reader],
  )

  useLayoutEffect(() => {
    if (!place.current) return
    const { top, height } = place.current.page.getBoundingClientRect()
    window.scrollBy(0, top + height * place.current.part - window.innerHeight / 2)
    place.current = undefined
  }, [zoom])

  return [zoom, changeZoom]
}

function findPlace(reader: HTMLElement | null): Place | undefined {
  const middle = window.innerHeight / 2
  for (const page of reader?.querySelectorAll('.pdf-page') ?? []) {
    const { top, bottom, height } = page.getBoundingClientRect()
    if (bottom >= middle) return { page, part: Math.max(0, (middle - top) / height) }
  }
  return undefined
}
