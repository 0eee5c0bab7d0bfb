// Whether an element is inside a region of the viewport. Pages of a long document are drawn only near it.
import { type RefObject, useEffect, useState } from 'react'

/** True while the element touches the viewport grown (or shrunk) by `rootMargin`, in CSS margin syntax. */
export function useIntersection(target: RefObject<Element | null>, rootMargin: string): boolean {
  const [inside, setInside] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => setInside(entries.at(-1)?.isIntersecting ?? false), { rootMargin })
    observer.observe(element)
    return () => observer.disconnect()
  }, [target, rootMargin])
  return inside
}
