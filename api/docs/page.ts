// The page at /docs: hand-written chapters and a generated API reference in one HTML file that works without scripts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describeApi, describePanel } from '../openapi/document.ts'
import { EVENTS } from '../openapi/webhooks.ts'
import type { OpenApiDocument } from '../openapi/types.ts'
import { catalogue } from './catalogue.ts'
import { type Html, html } from '#core/platform/text/html.ts'
import { slug } from './slug.ts'
import { block } from './markdown.ts'
import { entriesOf, eventSection, operationSection } from './reference.ts'

const CHAPTERS = path.join(import.meta.dirname, 'chapters')

interface Chapter {
  file: string
  title: string
}

/** Chapters in reading order; `{BASE_URL}` in a chapter becomes the address of this installation. */
export const GUIDE: readonly Chapter[] = [
  { file: 'quick-start.md', title: 'Quick start' },
  { file: 'access-tokens.md', title: 'Access tokens' },
  { file: 'documents.md', title: 'Documents that are accepted' },
  { file: 'envelopes.md', title: 'Envelopes' },
  { file: 'labels-and-lists.md', title: 'Labels and lists' },
  { file: 'signing.md', title: 'Signing' },
  { file: 'verification.md', title: 'Verification' },
  { file: 'webhooks.md', title: 'Webhooks' },
  { file: 'limits.md', title: 'Limits and retries' },
  { file: 'panel.md', title: 'The settings panel' },
  { file: 'versioning.md', title: 'Versioning' },
]

/** The Markdown of a chapter. */
export function readChapter(file: string): string {
  return readFileSync(path.join(CHAPTERS, file), 'utf8')
}

/** The whole page for an installation at `baseUrl`. */
export function docsPage(baseUrl: string): string {
  const api = describeApi(baseUrl)
  const panel = describePanel(baseUrl)
  const guide = GUIDE.map(({ file, title }) => ({
    title,
    id: slug(title),
    body: block(readChapter(file).replaceAll('{BASE_URL}', baseUrl)),
  }))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Sealwright API</title>
        <link rel="stylesheet" href="/docs/docs.css" />
        <script src="/docs/docs.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <nav aria-label="Contents">
          <p class="brand">
            <a href="#content">Sealwright <span>API ${api.info.version}</span></a>
          </p>
          <ul>
            ${guide.map(({ title, id }) => html`<li><a href="#${id}">${title}</a></li>`)}
            <li><a href="#errors">Errors</a></li>
          </ul>
          ${contents(api)} ${contents(panel, 'panel-')}
          <p class="files"><a href="/openapi.json">openapi.json</a> <a href="/settings/api/openapi.json">panel</a></p>
        </nav>
        <main id="content">
          ${guide.map(({ body }) => html`<article class="chapter">${body}</article>`)}
          <article class="chapter errors">${block(readChapter('errors.md'))} ${catalogue()}</article>
          ${reference(api)} ${reference(panel, 'panel-')}
        </main>
      </body>
    </html>`.markup
}

function contents(document: OpenApiDocument, prefix = ''): Html {
  return html`<p class="part">${document.info.title}</p>
    ${document.tags.map(
      ({ name }) =>
        html`<details open>
          <summary>${name}</summary>
          <ul>
            ${entriesOf(document, name).map(
              ({ id, method, operation }) =>
                html`<li>
                  <a href="#${prefix}${id}"><span class="method ${method}">${method.toUpperCase()}</span> ${operation.summary}</a>
                </li>`,
            )}
            ${name === EVENTS.name && html`<li><a href="#events">WebhookEvent</a></li>`}
          </ul>
        </details>`,
    )}`
}

function reference(document: OpenApiDocument, prefix = ''): Html {
  return html`<article class="reference">
    <h1 id="${prefix}reference">${document.info.title}</h1>
    ${block(document.info.description)}
    ${document.tags.map(
      ({ name, description }) =>
        html`<h2 id="${prefix}${slug(name)}-reference">${name}</h2>
          <p>${description}</p>
          ${entriesOf(document, name).map((entry) => operationSection(document, entry, prefix))}`,
    )}
    ${eventSection(document)}
  </article>`
}
