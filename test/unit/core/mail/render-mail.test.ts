import { randomUUID } from 'node:crypto'
import type { SignerTemplate } from '#core/mail/store.ts'
import { describe, expect, test } from 'vitest'
import { aSignerMail, rendered } from '../../../support/builders/due-mail.ts'

const LINK = 'https://sign.example.test/sign/a-signing-token'

describe('a mail that is due', () => {
  test.each<[SignerTemplate, string]>([
    ['SIGNING_LINK', 'a-signing-token'],
    ['COMPLETED', 'a-signing-token'],
    ['ONE_TIME_CODE', '048213'],
  ])('%s carries its secret in the bodies alone, not where a lock screen shows it, under its own id', (template, secret) => {
    const due = aSignerMail({ template, secret })
    const mail = rendered(due)
    expect(mail).toMatchObject({ id: due.id, to: 'ada@example.test' })
    expect(mail.text).toContain(secret)
    expect(mail.html).toContain(secret)
    expect(mail.subject).not.toContain(secret)
    expect(mail.html.slice(0, mail.html.indexOf('<table'))).not.toContain(secret)
  })

  test("never carries another mail's secret", () => {
    const stolen = aSignerMail({ template: 'SIGNING_LINK', secret: 'a-signing-token', boundTo: randomUUID() })
    expect(() => rendered(stolen)).toThrow()
  })
})

describe('the mail with the code', () => {
  test('has the code on a line of its own', () => {
    const { text, html } = rendered(aSignerMail({ template: 'ONE_TIME_CODE', secret: '048213' }))
    expect(text.split('\n').map((line) => line.trim())).toContain('048213')
    expect(html).toMatch(/>\s*048213\s*</)
  })

  test.each([
    [600, '10 minutes', '10 Minuten'],
    [659, '10 minutes', '10 Minuten'],
    [120, '2 minutes', '2 Minuten'],
    [119, '119 seconds', '119 Sekunden'],
    [45, '45 seconds', '45 Sekunden'],
  ])('good for %d seconds, promises %s and no more', (otpTtlSeconds, english, german) => {
    for (const [locale, promised] of [['en', `It is valid for ${english}`] as const, ['de', `Er gilt ${german}`] as const]) {
      const { text, html } = rendered(aSignerMail({ locale, template: 'ONE_TIME_CODE', secret: '048213' }), { otpTtlSeconds })
      for (const part of [text, html]) expect(part).toContain(promised)
    }
  })
})

describe("the sender's message", () => {
  const withMessage = (message: string | null, title = 'Lease') =>
    rendered(aSignerMail({ template: 'SIGNING_LINK', secret: 'a-signing-token', message, title }))

  test('is set apart, line by line', () => {
    const { text, html } = withMessage('Dear Ada,\r\n\r\nplease <b>sign</b>.\u2028Yours')
    expect(text).toContain('Nordlicht GmbH writes:\n> Dear Ada,\n> \n> please <b>sign</b>.\n> Yours\n')
    const quoted = /<blockquote[^>]*>(.*?)<\/blockquote/s
      .exec(html)?.[1]
      ?.replaceAll(/\s*(<br>|<br \/>)\s*/g, '|')
      .trim()
    expect(quoted).toBe('Dear Ada,||please &lt;b&gt;sign&lt;/b&gt;.|Yours')
  })

  test('is left out when it is empty to the eye', () => {
    for (const message of [null, '', ' \r\n\t\u0000\u202e']) {
      const { text, html } = withMessage(message)
      expect(text).not.toContain('writes:')
      expect(html).not.toContain('blockquote')
    }
  })

  test('makes no link, and a mail fetches nothing', () => {
    const { html } = withMessage('<a href="https://evil.example.test">x</a>', 'https://evil.example.test')
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([LINK, LINK])
    expect(html).not.toMatch(/<(img|link|script|iframe|object|style)\b|url\(|@import|\ssrc=/i)
  })
})
