// The heading of a step. When the step changes under a person's hands, focus and the window's title follow, so that screen readers
// and tab lists notice.
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../locales/texts.ts'

/** `title` names the step in the window's title; `children` is what the heading shows. */
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
