import { renderSigningLink, type SigningLinkMail } from '#core/mail/templates/signing-link.ts'
import { describe, expect, test } from 'vitest'

const link = 'https://sign.example.test/sign/Zk3v9_2uYtQ0aWm1nB4cX7dE6fG5hJ8kLpOiUyTrEwQ'

function render(changed: Partial<SigningLinkMail> = {}) {
  return renderSigningLink({
    signerName: 'Ada Öhman',
    organisationName: 'Nordlicht GmbH',
    title: 'Rental agreement',
    message: null,
    link,
    expiresAt: new Date('2026-11-24T14:05:30Z'),
    ...changed,
  })
}

describe('the mail with the signing link', () => {
  test('says who asks, for what, where and until when, as text and as HTML', () => {
    const { subject, text, html } = render()
    expect(subject).toBe('Nordlicht GmbH asks you to sign: Rental agreement')
    for (const part of [text, html]) {
      for (const said of ['Ada Öhman', 'Nordlicht GmbH', 'Rental agreement', link, '24 November 2026, 14:05 UTC']) {
        expect(part).toContain(said)
      }
    }
  })

  test('keeps the link out of subject and preview', () => {
    const { subject, html } = render()
    expect(subject).not.toContain('Zk3v9_')
    expect(html.slice(0, html.indexOf('<table'))).not.toContain('Zk3v9_')
  })

  test('names no time for a link that has none', () => {
    const { text, html } = render({ expiresAt: null })
    for (const part of [text, html]) expect(part).toContain('works until everyone has signed')
  })

  test("sets the sender's message apart, line by line", () => {
    const { text, html } = render({ message: 'Dear Ada,\r\n\r\nplease <b>sign</b>.\u2028Yours' })
    expect(text).toContain('Nordlicht GmbH writes:\n> Dear Ada,\n> \n> please <b>sign</b>.\n> Yours\n')
    const quoted = /<blockquote[^>]*>(.*?)<\/blockquote/s
      .exec(html)?.[1]
      ?.replaceAll(/\s*(<br>|<br \/>)\s*/g, '|')
      .trim()
    expect(quoted).toBe('Dear Ada,||please &lt;b&gt;sign&lt;/b&gt;.|Yours')
  })

  test('leaves out a message that is empty to the eye', () => {
    for (const message of [null, '', ' \r\n\t\u0000\u202e']) {
      const { text, html } = render({ message })
      expect(text).not.toContain('writes:')
      expect(html).not.toContain('blockquote')
    }
  })

  test('makes links of its own alone', () => {
    const { html } = render({ title: 'https://evil.example.test', message: '<a href="https://evil.example.test">x</a>' })
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([link, link])
  })

  test('fetches nothing', () => {
    expect(render({ message: 'x' }).html).not.toMatch(/<(img|link|script|iframe|object|style)\b|url\(|@import|\ssrc=/i)
  })
})
