// The heading of a step. On a step change it takes the focus and sets the window title, so that screen readers and tab lists notice.
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'

/** `title` is the step in the window title; `children` is the heading's content. */
export function StepHeading({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${texts.shared.product}`
    heading.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [title])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
