// What each email says in each language.
import type { MailJob } from '#core/mail/mail-job.ts'
import { LOCALES, type Locale } from '#core/platform/text/locale.ts'
import { describe, expect, test } from 'vitest'
import { aPersonMail, aSignerMail, rendered } from '../../../support/builders/due-mail.ts'

const LINK = 'https://sign.example.test/sign/a-signing-token'
const SETUP = 'https://sign.example.test/settings/setup#a-setup-token'
const WEBHOOKS = 'https://sign.example.test/settings/webhooks'
const RECEIVER = 'https://receiver.example/hooks'

const factor = (change: string) => JSON.stringify({ change, address: '203.0.113.7' })
const webhook = JSON.stringify({ url: RECEIVER, lastError: { en: 'No such host.', de: 'Kein solcher Host.' } })

type Expected = Readonly<Record<Locale, { subject: string; says: readonly string[] }>>

/** Every mail, what both of its parts say in each language, and the links of its HTML part. */
const MAILS: readonly [name: string, mail: (locale: Locale) => MailJob, links: readonly string[], expected: Expected][] = [
  [
    'the signing link',
    (locale) => aSignerMail({ locale, template: 'SIGNING_LINK', secret: 'a-signing-token' }),
    [LINK],
    {
      en: {
        subject: 'Nordlicht GmbH asks you to sign: Lease',
        says: ['Your link works until 24 November 2026, 14:05 UTC.', 'Dear Ada', 'Read and sign', 'please do not share it'],
      },
      de: {
        subject: 'Nordlicht GmbH bittet Sie um Ihre Unterschrift: Lease',
        says: ['Ihr Link gilt bis zum 24. November 2026, 14:05 UTC.', 'Dear Ada', 'Lesen und unterschreiben', 'nicht weiter'],
      },
    },
  ],
  [
    'the signing link that works until everyone has signed',
    (locale) => aSignerMail({ locale, template: 'SIGNING_LINK', secret: 'a-signing-token', linkExpiresAt: null }),
    [LINK],
    {
      en: { subject: 'Nordlicht GmbH asks you to sign: Lease', says: ['Your link works until everyone has signed.'] },
      de: {
        subject: 'Nordlicht GmbH bittet Sie um Ihre Unterschrift: Lease',
        says: ['Ihr Link gilt, bis alle unterschrieben haben.'],
      },
    },
  ],
  [
    'the code',
    (locale) => aSignerMail({ locale, template: 'ONE_TIME_CODE', secret: '048213' }),
    [],
    {
      en: { subject: 'Your code to sign: Lease', says: ['048213', 'It is valid for 5 minutes and can be used once.'] },
      de: {
        subject: 'Ihr Code zum Unterschreiben: Lease',
        says: ['048213', 'Er gilt 5 Minuten und kann einmal verwendet werden.'],
      },
    },
  ],
  [
    'the signed copy',
    (locale) => aSignerMail({ locale, template: 'COMPLETED', secret: 'a-signing-token' }),
    [LINK],
    {
      en: { subject: 'Completed: Lease', says: ['Nordlicht GmbH', 'Download signed copy', 'The link will expire.'] },
      de: {
        subject: 'Abgeschlossen: Lease',
        says: ['Nordlicht GmbH', 'Unterschriebene Fassung herunterladen', 'Der Link läuft ab.'],
      },
    },
  ],
  [
    'the way into the panel',
    (locale) => aPersonMail({ locale, template: 'PANEL_SETUP', secret: SETUP }),
    [SETUP],
    {
      en: {
        subject: 'Your access to Sealwright: Nordlicht GmbH',
        says: ['The link works once and expires on 24 November 2026, 14:05 UTC.', 'Please do not share it.'],
      },
      de: {
        subject: 'Ihr Zugang zu Sealwright: Nordlicht GmbH',
        says: ['Der Link gilt einmal und läuft am 24. November 2026, 14:05 UTC ab.', 'Bitte geben Sie ihn nicht weiter.'],
      },
    },
  ],
  [
    'the way into the panel of those who sign in with an identity provider',
    (locale) => aPersonMail({ locale, template: 'PANEL_SETUP', secret: SETUP, linkExpiresAt: null }),
    [SETUP],
    {
      en: {
        subject: 'Your access to Sealwright: Nordlicht GmbH',
        says: ['Sign in with your usual work account.', 'you can ignore it'],
      },
      de: {
        subject: 'Ihr Zugang zu Sealwright: Nordlicht GmbH',
        says: ['Melden Sie sich mit Ihrem gewohnten Arbeitskonto an.', 'können Sie sie ignorieren'],
      },
    },
  ],
  [
    'the invitation of an address with an account elsewhere',
    (locale) => aPersonMail({ locale, template: 'PANEL_SETUP', secret: SETUP, isElsewhere: true }),
    [],
    {
      en: {
        subject: 'Your access to Sealwright: Nordlicht GmbH',
        says: ['ada@example.test', 'ask for an invitation to another address of yours'],
      },
      de: {
        subject: 'Ihr Zugang zu Sealwright: Nordlicht GmbH',
        says: ['ada@example.test', 'Bitten Sie um eine Einladung an eine andere Adresse'],
      },
    },
  ],
  [
    'a changed password',
    (locale) => aPersonMail({ locale, template: 'PASSWORD_CHANGED', secret: '203.0.113.7' }),
    [],
    {
      en: {
        subject: 'Your Sealwright password was changed: Nordlicht GmbH',
        says: [
          'was changed on 21 November 2026, 14:00 UTC from the address 203.0.113.7. You have been signed out everywhere else.',
          'If it was not you, ask an admin of your organisation',
        ],
      },
      de: {
        subject: 'Ihr Passwort für Sealwright wurde geändert: Nordlicht GmbH',
        says: [
          'wurde am 21. November 2026, 14:00 UTC von der Adresse 203.0.113.7 geändert. Überall sonst wurden Sie abgemeldet.',
          'Wenn nicht, bitten Sie sofort einen Admin',
        ],
      },
    },
  ],
  [
    'a password that was changed from an unknown address',
    (locale) => aPersonMail({ locale, template: 'PASSWORD_CHANGED', secret: '' }),
    [],
    {
      en: {
        subject: 'Your Sealwright password was changed: Nordlicht GmbH',
        says: ['on 21 November 2026, 14:00 UTC. You have been signed out'],
      },
      de: {
        subject: 'Ihr Passwort für Sealwright wurde geändert: Nordlicht GmbH',
        says: ['am 21. November 2026, 14:00 UTC geändert. Überall sonst'],
      },
    },
  ],
  ...(
    [
      ['SET_UP', 'Second factor set up', 'Zweiter Faktor eingerichtet', 'Authenticator-App'],
      ['REMOVED', 'Second factor removed', 'Zweiter Faktor entfernt', 'nur Ihr Passwort'],
      ['RECOVERY_CODE_USED', 'Recovery code used', 'Wiederherstellungscode verwendet', 'Dieser Code gilt nicht mehr'],
      ['RECOVERY_CODES_RENEWED', 'New recovery codes', 'Neue Wiederherstellungscodes', 'Die früheren Codes gelten nicht mehr'],
    ] as const
  ).map(([change, english, german, saysGerman]): (typeof MAILS)[number] => [
    `the change ${change} of a second factor`,
    (locale) => aPersonMail({ locale, template: 'FACTOR_CHANGED', secret: factor(change) }),
    [],
    {
      en: {
        subject: `${english}: Nordlicht GmbH`,
        says: ['in Sealwright on 21 November 2026, 14:00 UTC from the address 203.0.113.7.', 'tell an admin'],
      },
      de: {
        subject: `${german}: Nordlicht GmbH`,
        says: ['in Sealwright am 21. November 2026, 14:00 UTC von der Adresse 203.0.113.7', saysGerman],
      },
    },
  ]),
  [
    'a second factor that an admin reset, whose address it leaves out',
    (locale) => aPersonMail({ locale, template: 'FACTOR_CHANGED', secret: factor('RESET') }),
    [],
    {
      en: {
        subject: 'Second factor reset: Nordlicht GmbH',
        says: ['on 21 November 2026, 14:00 UTC. You have been signed out everywhere. Sign in with your password'],
      },
      de: {
        subject: 'Zweiter Faktor zurückgesetzt: Nordlicht GmbH',
        says: [
          'am 21. November 2026, 14:00 UTC von einem Admin oder dem Betreiber zurückgesetzt. Sie wurden überall abgemeldet.',
        ],
      },
    },
  ],
  [
    'a webhook that was disabled',
    (locale) => aPersonMail({ locale, template: 'WEBHOOK_DISABLED', secret: webhook }),
    [WEBHOOKS],
    {
      en: {
        subject: 'A webhook was disabled: Nordlicht GmbH',
        says: [
          RECEIVER,
          'on 21 November 2026, 14:00 UTC',
          'The last attempt failed: No such host.',
          'send a test from the settings',
          'are not sent later',
        ],
      },
      de: {
        subject: 'Ein Webhook wurde deaktiviert: Nordlicht GmbH',
        says: [
          RECEIVER,
          'am 21. November 2026, 14:00 UTC',
          'Der letzte Versuch schlug fehl: Kein solcher Host.',
          'aus den Einstellungen einen Test',
          'später nicht gesendet',
        ],
      },
    },
  ],
  [
    'a webhook that was enabled again',
    (locale) => aPersonMail({ locale, template: 'WEBHOOK_ENABLED', secret: webhook }),
    [WEBHOOKS],
    {
      en: {
        subject: 'A webhook was enabled again: Nordlicht GmbH',
        says: [RECEIVER, 'on 21 November 2026, 14:00 UTC', 'sends new events to it', 'send the deliveries again that gave up'],
      },
      de: {
        subject: 'Ein Webhook wurde wieder aktiviert: Nordlicht GmbH',
        says: [RECEIVER, 'am 21. November 2026, 14:00 UTC', 'sendet ihm neue Ereignisse', 'aufgegeben wurden'],
      },
    },
  ],
]

describe.each(LOCALES)('in the language %s', (locale) => {
  test.each(MAILS)('%s says so in subject, text and HTML, with its links alone', (_name, due, links, { [locale]: expected }) => {
    const mail = rendered(due(locale))
    expect(mail.subject).toBe(expected.subject)
    const hello = locale === 'en' ? 'Hello ' : 'Guten Tag '
    expect(mail.text).toContain(`${hello}Ada,`)
    expect(mail.html).toContain(`${hello}<bdi dir="auto">Ada</bdi>,`)
    expect(mail.html).toContain(`<html lang="${locale}">`)
    for (const said of [...expected.says, ...links]) {
      expect(mail.text).toContain(said)
      expect(mail.html).toContain(said)
    }
    expect(new Set(Array.from(mail.html.matchAll(/href="([^"]*)"/g), ([, href]) => href))).toEqual(new Set(links))
    expect(new Set(mail.text.match(/https?:\/\/sign\S*/g) ?? [])).toEqual(new Set(links))
  })

  test('no mail has a text of the other language', () => {
    const ours = (mail: MailJob) =>
      rendered(mail)
        .text.split('\n')
        .filter((line) => /\p{L}{4}/u.test(line))
    const other = locale === 'en' ? 'de' : 'en'
    for (const [name, due] of MAILS) {
      const shared = ours(due(locale)).filter((line) => ours(due(other)).includes(line))
      expect(
        shared.filter((line) => !/^https:|^Sealwright$|^> Dear Ada$/.test(line)),
        name,
      ).toEqual([])
    }
  })
})
