// The frame of every page: product name at the top, small print at the bottom.
import type { ReactNode } from 'react'
import { texts } from '../locales/texts.ts'
import sealUrl from './seal.svg'

export interface PageFrameProps {
  /** `card` centres one column of text; `wide` uses the full width. */
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
