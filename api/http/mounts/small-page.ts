// Small pages without scripts, in English or German: the start page and "Page not found".
import { fileURLToPath } from 'node:url'
import type { Locale } from '#core/platform/text/locale.ts'
import { type Html, html } from '#core/platform/text/html.ts'
import type { Request, Response } from 'express'

/** A separate file, because the content security policy forbids inline styles. */
export const SMALL_PAGE_STYLE = fileURLToPath(new URL('small-page.css', import.meta.url))
export const SMALL_PAGE_STYLE_PATH = '/small-page.css'

export interface SmallPage {
  title: string
  body: Html
}

/** Whether the client prefers a page to JSON: browsers do; a program that accepts anything gets JSON. */
export function wantsPage(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && request.accepts(['json', 'html']) === 'html'
}

/** Sends the page; it depends on who asks for it, so no cache keeps it. */
export function sendSmallPage(response: Response, language: Locale, { title, body }: SmallPage): void {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${SMALL_PAGE_STYLE_PATH}" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`
  response.set('Cache-Control', 'no-store').vary('Accept').vary('Accept-Language').type('html').send(page.markup)
}
