// What every page has around its content: the product's name on top, a line of small print below.
import type { ReactNode } from 'react'
import { texts } from '../locales/texts.ts'
import sealUrl from './seal.svg'

export interface PageFrameProps {
  /** `card` centres one column of text; `wide` leaves the whole width to the content. */
  width: 'card' | 'wide'
  footer?: ReactNode
  children: ReactNode
}

export function PageFrame({ width, footer, children }: PageFrameProps) {
  return (
    <div className={`page page-${width}`}>
      <header className="page-header">
        <img src={sealUrl} alt="" width="28" height="28" />
        <span>{texts.shared.product}</span>
      </header>
      <main className="page-main">{children}</main>
      {footer && <footer className="page-footer">{footer}</footer>}
    </div>
  )
}
