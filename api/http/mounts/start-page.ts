// The start page at `/`: what runs here, with links to its parts.
import { readFileSync } from 'node:fs'
import { html } from '#core/platform/text/html.ts'
import { type Request, type Response, Router } from 'express'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import { preferredLanguage } from '../response/negotiate.ts'
import { sendSmallPage, SMALL_PAGE_STYLE, SMALL_PAGE_STYLE_PATH } from './small-page.ts'

const { version: VERSION }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

interface Texts {
  intro: string
  settings: string
  verify: string
  docs: string
  mails: string
  webhooks: string
  version: string
}

const TEXTS: Record<Locale, Texts> = {
  en: {
    intro:
      'This is an installation of Sealwright, a service for electronic signatures. Signers open it by the link in their email.',
    settings: 'Settings: envelopes, people and credentials of an organisation',
    verify: 'Verify a signed document',
    docs: 'API documentation',
    mails: 'Emails, which this installation does not send',
    webhooks: 'A receiver to try webhooks with',
    version: 'Version',
  },
  de: {
    intro:
      'Dies ist eine Installation von Sealwright, einem Dienst für elektronische Unterschriften. Wer unterschreibt, öffnet den Link aus der E-Mail.',
    settings: 'Einstellungen: Umschläge, Personen und Zugänge einer Organisation',
    verify: 'Unterschriebenes Dokument prüfen',
    docs: 'API-Dokumentation (Englisch)',
    mails: 'E-Mails, die diese Installation nicht versendet',
    webhooks: 'Ein Empfänger, um Webhooks auszuprobieren (Englisch)',
    version: 'Version',
  },
}

/** The pages under `/dev`. */
type DevPage = 'mails' | 'webhooks'

/** `GET /`. `devPages`: those that this request may read. */
export function startPage(devPages: (request: Request) => readonly DevPage[]): Router {
  const router = Router({ caseSensitive: true })
  router.get('/', (request: Request, response: Response) => {
    const language = preferredLanguage(request)
    const texts = TEXTS[language]
    const links = [
      ['/settings', texts.settings],
      ['/verify', texts.verify],
      ['/docs', texts.docs],
      ...devPages(request).map((page) => [`/dev/${page}`, texts[page]]),
    ] as const
    const body = html`<h1>Sealwright</h1>
      <p>${texts.intro}</p>
      <ul>
        ${links.map(([path = '', text = '']) => html`<li><a href="${path}">${text}</a></li>`)}
      </ul>
      <footer>${texts.version} ${VERSION}</footer>`
    sendSmallPage(response, language, { title: 'Sealwright', body })
  })
  router.get(SMALL_PAGE_STYLE_PATH, (_request, response) => {
    response.sendFile(SMALL_PAGE_STYLE, { cacheControl: false, headers: { 'Cache-Control': 'no-cache' } })
  })
  for (const path of ['/', SMALL_PAGE_STYLE_PATH]) refuseOtherMethods(router, path, ['get'])
  return router
}
