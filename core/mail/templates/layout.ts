// The layout of every email: one column, inline styles because mail clients drop others, no remote content and no tracking.
import { type Html, html } from '#core/platform/text/html.ts'

/** A rendered email. */
export interface MailContent {
  /** One line, without secrets: it shows on lock screens and in server logs. */
  subject: string
  text: string
  html: string
}

export interface LayoutParts {
  /** Shown by mail clients beside the subject; no secrets. */
  preview: string
  heading: Html
  body: readonly Html[]
  /** Small print under the card. */
  notes: readonly Html[]
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'

/** The whole HTML part. */
export function layout({ preview, heading, body, notes }: LayoutParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light" />
        <title>Sealwright</title>
      </head>
      <body style="margin:0;padding:0;background-color:#eef1f6">
        <div style="display:none;max-height:0;overflow:hidden">${preview}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#eef1f6">
          <tr>
            <td align="center" style="padding:32px 16px">
              <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
                <tr>
                  <td style="padding:0 8px 16px;${FONT};font-size:15px;font-weight:700;letter-spacing:.02em;color:#22304d">
                    Sealwright
                  </td>
                </tr>
                <tr>
                  <td
                    style="background-color:#ffffff;border:1px solid #d9dfea;border-radius:12px;padding:36px 32px 28px;${FONT};font-size:16px;line-height:1.55;color:#22304d;${WRAP}"
                  >
                    <h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:700;color:#131c30">${heading}</h1>
                    ${body}
                  </td>
                </tr>
                <tr>
                  <td style="padding:20px 8px 0;${FONT};font-size:13px;line-height:1.5;color:#5b6880;${WRAP}">
                    ${notes.map((note) => html`<p style="margin:0 0 8px">${note}</p> `)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.markup
}

/** A paragraph of the card. */
export function paragraph(content: Html): Html {
  return html`<p style="margin:0 0 16px">${content}</p> `
}

/** User text, isolated so that its writing direction does not affect the text around it. */
export function chosen(text: string): Html {
  return html`<bdi dir="auto">${text}</bdi>`
}

/** Renders the text in bold. */
export function emphasised(text: string): Html {
  return html`<strong style="font-weight:600;color:#131c30">${chosen(text)}</strong>`
}

/** The sender's message, set apart from our own text. */
export function quotation(text: string): Html {
  const lines = text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
  return html`<blockquote
    dir="auto"
    style="margin:0 0 20px;padding:12px 16px;border-left:4px solid #b9c4d8;border-radius:4px;background-color:#f5f7fb;color:#3b4860"
  >
    ${lines}
  </blockquote> `
}

/** The call to action as a button, and as an address for clients that show no buttons. */
export function action(label: string, link: string): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px">
      <tr>
        <td style="border-radius:8px;background-color:#1f4fd1">
          <a
            href="${link}"
            style="display:inline-block;padding:13px 28px;border:1px solid #1f4fd1;border-radius:8px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none"
            >${label}</a
          >
        </td>
      </tr>
    </table>
    <p style="margin:0 0 8px;font-size:13px;line-height:1.5;color:#5b6880">
      Or copy this link into your browser:<br /><a href="${link}" style="color:#1f4fd1">${link}</a>
    </p> `
}
