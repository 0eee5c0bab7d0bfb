import { randomUUID } from 'node:crypto'
import { openSmtp, type SmtpTransport } from '#core/mail/smtp.ts'
import type { MailContent } from '#core/mail/mail-transport.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPersonMail, aSignerMail, rendered } from '../../../support/builders/due-mail.ts'
import { NAUGHTY_STRINGS, SOME_NAUGHTY_STRINGS } from '../../../support/hostile/naughty-strings.ts'
import { type ReceivedMail, type SmtpSink, startSmtpSink } from '../../../support/servers/smtp-sink.ts'

const TOKEN = 'Zk3v9_2uYtQ0aWm1nB4cX7dE6fG5hJ8kLpOiUyTrEwQ'
const CODE = '048213'

function written(text: string, locale: Locale) {
  return { recipientName: text, organisationName: text, title: text, locale }
}

/** Every text that a user chooses, in each mail to a signer or a person. */
const RENDERERS: Readonly<Record<string, (text: string) => MailContent>> = {
  'the signing link': (text) =>
    rendered(aSignerMail({ ...written(text, 'de'), template: 'SIGNING_LINK', secret: TOKEN, message: `Dear Ada ${text}` })),
  'the code': (text) => rendered(aSignerMail({ ...written(text, 'en'), template: 'ONE_TIME_CODE', secret: CODE })),
  'the way into the panel': (text) =>
    rendered(
      aPersonMail({
        ...written(text, 'de'),
        template: 'PANEL_SETUP',
        secret: `https://sign.example.test/settings/setup#${TOKEN}`,
      }),
    ),
  'the signed copy': (text) => rendered(aSignerMail({ ...written(text, 'en'), template: 'COMPLETED', secret: TOKEN })),
  'a disabled webhook': (text) =>
    rendered(
      aPersonMail({
        ...written(text, 'de'),
        template: 'WEBHOOK_DISABLED',
        secret: JSON.stringify({ url: `https://${text}/${TOKEN}` }),
      }),
    ),
}

let sink: SmtpSink
let transport: SmtpTransport
beforeAll(async () => {
  sink = await startSmtpSink()
  transport = openSmtp(`smtp://127.0.0.1:${sink.port}`, 'Sealwright <sign@example.test>')
})
afterAll(async () => {
  await transport.close()
  await sink.close()
})

async function sent(content: MailContent): Promise<{ received: ReceivedMail; parsed: Email }> {
  sink.received.length = 0
  expect(await transport.send({ ...content, id: randomUUID(), to: 'ada@example.test', sentAt: new Date(0) })).toEqual({
    outcome: 'accepted',
  })
  expect(sink.received).toHaveLength(1)
  const [received] = sink.received
  return { received: received!, parsed: await PostalMime.parse(received!.raw) }
}

const headerNames = ({ headers }: Email) => headers.map(({ key }) => key)
/** Every tag in order, without line breaks; no angle brackets are left in any text. */
const tags = ({ html }: Email) => (html?.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<br ?\/?>$/.test(tag))

test('there are five hundred naughty strings, all different', () => {
  expect(NAUGHTY_STRINGS).toHaveLength(500)
  expect(new Set(NAUGHTY_STRINGS).size).toBe(500)
})

describe.each(Object.entries(RENDERERS))('%s', (_, render) => {
  test('keeps its headers, receiver and markup whatever its texts contain', async () => {
    const plain = await sent(render('Ada'))
    for (const naughty of SOME_NAUGHTY_STRINGS) {
      const { received, parsed } = await sent(render(naughty))
      const label = JSON.stringify(naughty)
      expect(received.recipients, label).toEqual(['ada@example.test'])
      expect(received.from, label).toBe('sign@example.test')
      expect(headerNames(parsed), label).toEqual(headerNames(plain.parsed))
      expect(parsed.to, label).toEqual([{ address: 'ada@example.test', name: '' }])
      expect([parsed.cc, parsed.bcc, parsed.replyTo], label).toEqual([undefined, undefined, undefined])
      expect(parsed.attachments, label).toEqual([])
      expect(parsed.subject, label).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      expect(tags(parsed), label).toEqual(tags(plain.parsed))
    }
  })

  test('has the same content as text and as HTML', async () => {
    const { parsed } = await sent(render('Ada'))
    for (const part of [parsed.text, parsed.html]) {
      expect(part).toContain('Ada')
      expect(part?.includes(TOKEN) || part?.includes(CODE)).toBe(true)
    }
  })
})
