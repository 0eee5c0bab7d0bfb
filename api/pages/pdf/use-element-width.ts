// The width of an element on screen, updated on rotation and resizing.
import { type RefObject, useLayoutEffect, useState } from 'react'

/** Content width in CSS pixels; 0 until measured. */
export function useElementWidth(target: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = target.current
    if (!element) return undefined
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [target])
  return width
}
