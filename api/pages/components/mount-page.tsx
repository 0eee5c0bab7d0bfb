// Starts a page: language, styles, React.
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/controls.css'
import { type ReactNode, StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { createRoot } from 'react-dom/client'
import { language } from '../locales/texts.ts'

/** Renders a page into the element with the id `page` in its HTML file. */
export function mountPage(page: ReactNode): void {
  const container = document.getElementById('page')
  if (!container) throw new Error('the page has no container')
  document.documentElement.lang = language
  keepReactAriaFromInlineStyles()
  createRoot(container).render(
    <StrictMode>
      <I18nProvider locale={language}>{page}</I18nProvider>
    </StrictMode>,
  )
}

// react-aria adds a style element for its buttons unless one with this id exists. The policy would block it and report every page
// view; base.css contains the same rule.
function keepReactAriaFromInlineStyles(): void {
  const placeholder = document.createElement('meta')
  placeholder.id = 'react-aria-pressable-style'
  document.head.append(placeholder)
}
