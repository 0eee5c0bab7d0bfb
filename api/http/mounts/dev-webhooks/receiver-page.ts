// The page of the webhook receiver. `dev-webhooks.js` keeps it up to date and sends what the buttons say.
import { toReadableTime } from '#core/mail/readable-time.ts'
import { type Html, html } from '#core/platform/text/html.ts'
import type { ReceivedRequest, ReceiverBehaviour, WebhookInbox } from './inbox.ts'

const ANSWERS: readonly ReceiverBehaviour[] = [
  { status: 200 },
  { status: 204 },
  { status: 302 },
  { status: 400 },
  { status: 410 },
  { status: 429 },
  { status: 500 },
  { status: 503 },
  { hang: true },
]

/** The whole page. */
export function receiverPage(inbox: WebhookInbox): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Webhooks</title>
        <link rel="stylesheet" href="/dev/webhooks.css" />
        <script src="/dev/webhooks.js" defer></script>
      </head>
      <body>
        <h1>Webhooks</h1>
        <p>
          A receiver on this machine to try webhooks with. Create a webhook with this URL in the
          <a href="/settings/webhooks">settings</a>; its events then arrive here. You can append any path.
        </p>
        <p><code>${inbox.endpointUrl}</code></p>
        <main id="live">${answers(inbox.behaviour())} ${requestList(inbox.requests())}</main>
      </body>
    </html>`.markup
}

function answers(current: ReceiverBehaviour): Html {
  return html`<h2>Answer to the next requests</h2>
    <p class="buttons" role="group" aria-label="Answer">
      ${ANSWERS.map(
        (each) =>
          html`<button type="button" data-behaviour="${JSON.stringify(each)}" aria-pressed="${String(isSame(each, current))}">
            ${labelOf(each)}
          </button>`,
      )}
    </p>
    <p>Now: ${labelOf(current)}</p>`
}

function requestList(requests: readonly ReceivedRequest[]): Html {
  return html`<h2>Requests</h2>
    ${requests.length > 0 ? requests.map(requestItem) : html`<p>No requests yet.</p>`}`
}

function requestItem({ id, at, method, path, headers, body, signatureValid, answer }: ReceivedRequest): Html {
  const test = headers['x-svc-test'] === 'true' && html`<span>test event</span>`
  return html`<article id="request-${id}">
    <header>
      <strong>${headers['x-svc-event-type'] ?? `${method} ${path}`}</strong> ${test}
      <span class="${signatureValid ? 'good' : 'bad'}">${signatureValid ? 'Signature valid' : 'Signature not valid'}</span>
      <span>Answer: ${labelOf(answer)}</span><span>${toReadableTime(new Date(at), 'en')}</span>
    </header>
    <pre tabindex="0">${body}</pre>
    <details>
      <summary>${method} ${path}: headers</summary>
      <pre tabindex="0">${Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
    </details>
  </article>`
}

function labelOf(behaviour: ReceiverBehaviour): string {
  return 'status' in behaviour ? String(behaviour.status) : 'No answer (hang)'
}

function isSame(one: ReceiverBehaviour, other: ReceiverBehaviour): boolean {
  return labelOf(one) === labelOf(other)
}
