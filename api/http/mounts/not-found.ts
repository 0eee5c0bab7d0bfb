// The answer to unknown paths: a page for browsers, the error body for programs.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { html } from '#core/platform/text/html.ts'
import type { RequestHandler } from 'express'
import type { Locale } from '#core/platform/text/locale.ts'
import { preferredLanguage } from '../response/negotiate.ts'
import { sendSmallPage, wantsPage } from './small-page.ts'

const TEXTS: Record<Locale, { title: string; advice: string; start: string }> = {
  en: {
    title: 'Page not found',
    advice: 'There is no page at this address. Check the link; email programs may cut off its end.',
    start: 'Start page',
  },
  de: {
    title: 'Seite nicht gefunden',
    advice: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie den Link; E-Mail-Programme schneiden manchmal sein Ende ab.',
    start: 'Startseite',
  },
}
/** Paths that only programs call. */
const PROGRAMS = /^\/(api|oauth2|settings\/api|settings\/oidc|downloads|assets|\.well-known)(\/|$)/

/** The last handler before the error handler. Throws ROUTE_NOT_FOUND unless the client wants a page. */
export function notFound(): RequestHandler {
  return (request, response) => {
    if (PROGRAMS.test(request.path) || !wantsPage(request)) throw new DomainError('ROUTE_NOT_FOUND')
    const language = preferredLanguage(request)
    const { title, advice, start } = TEXTS[language]
    const body = html`<h1>${title}</h1>
      <p>${advice}</p>
      <p><a href="/">${start}</a></p>`
    response.status(404)
    sendSmallPage(response, language, { title, body })
  }
}
