// The mailbox of `npm start`: unsent emails as JSON for programs and as a page for people. Not mounted when an SMTP server is set.
import { type Html, html } from '#core/platform/text/html.ts'
import type { FileMailbox } from '#core/mail/file-mailbox.ts'
import { toReadableTime } from '#core/mail/readable-time.ts'
import { type Request, type Response, Router } from 'express'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'
import { DEV_PAGES_STYLE } from './dev-pages-style.ts'

/** `GET /dev/mails`, newest first. */
export function devMails(mails: FileMailbox): Router {
  const router = Router({ caseSensitive: true })
  router.get('/dev/mails', async (request: Request, response: Response) => {
    const emails = await mails.list()
    response.set('Cache-Control', 'no-store').vary('Accept')
    if (request.accepts(['json', 'html']) === 'html') response.type('html').send(mailboxPage(emails))
    else response.json(emails)
  })
  router.get('/dev/mails.css', (_request, response) => {
    response.sendFile(DEV_PAGES_STYLE)
  })
  refuseOtherMethods(router, '/dev/mails', ['get'])
  return router
}

type StoredEmail = Awaited<ReturnType<FileMailbox['list']>>[number]

function mailboxPage(emails: readonly StoredEmail[]): string {
  const items = emails.map(
    ({ to, subject, text, sentAt }) =>
      html`<article>
        <header><strong>${subject}</strong><span>to ${to} · ${toReadableTime(new Date(sentAt), 'en')}</span></header>
        <pre>${linked(text)}</pre>
      </article>`,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>Emails</title>
        <link rel="stylesheet" href="/dev/mails.css" />
      </head>
      <body>
        <h1>Emails</h1>
        <p>Emails are kept here instead of being sent, because no mail server is set.</p>
        ${items.length > 0 ? items : html`<p>No emails yet.</p>`}
      </body>
    </html>`.markup
}

/** `split` puts the addresses at odd indexes. */
function linked(text: string): Html[] {
  const pieces = text.split(/(https?:\/\/[^\s<>"'&]+)/)
  return pieces.map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`))
}
