import { randomUUID } from 'node:crypto'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { EnvelopeId, newId, OrgId, SignerId } from '#core/ids.ts'
import { mailContext } from '#core/mail/record-mail.ts'
import { renderMail } from '#core/mail/render-mail.ts'
import type { PersonMailJob, SignerMailJob } from '#core/mail/mail-job.ts'
import type { SignerTemplate } from '#core/mail/store.ts'
import { describe, expect, test } from 'vitest'

const keys = deriveInstallationKeys(Buffer.alloc(32, 1))
const settings = { ...readSettings({ SEALWRIGHT_OTP_TTL: '300s' }).settings, publicUrl: 'https://sign.example.test' }

function dueMail(template: SignerTemplate, secret: string, boundTo?: string): SignerMailJob {
  const id = randomUUID()
  return {
    orgId: newId(OrgId),
    id,
    envelopeId: newId(EnvelopeId),
    signerId: newId(SignerId),
    template,
    secretBox: keys.seal(secret, mailContext(boundTo ?? id)),
    attempts: 1,
    failures: 0,
    outages: 0,
    released: 0,
    traceParent: null,
    takenAt: new Date('2026-11-21T14:05:00Z'),
    waitedSeconds: 0,
    recipient: 'ada@example.test',
    recipientName: 'Ada',
    organisationName: 'Nordlicht GmbH',
    title: 'Lease',
    message: 'Dear Ada',
    linkExpiresAt: new Date('2026-11-24T14:05:00Z'),
  }
}

describe('a mail that is due', () => {
  test.each<[SignerTemplate, string, string]>([
    ['SIGNING_LINK', 'a-signing-token', 'https://sign.example.test/sign/a-signing-token'],
    ['COMPLETED', 'a-signing-token', 'https://sign.example.test/sign/a-signing-token'],
    ['ONE_TIME_CODE', '048213', 'It is valid for 5 minutes'],
  ])('%s carries its secret in the bodies alone, under its own id', (template, secret, said) => {
    const due = dueMail(template, secret)
    const mail = renderMail({ keys, settings }, due)
    expect(mail).toMatchObject({ id: due.id, to: 'ada@example.test' })
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(secret)
      expect(part).toContain(said)
      expect(part).toContain('Lease')
    }
    expect(mail.subject).not.toContain(secret)
  })

  test.each([
    ['sets a password', new Date('2026-11-24T14:05:00Z'), 'The link works once and expires on 24 November 2026, 14:05 UTC.'],
    ['leads to where an identity provider signs in', null, 'Sign in with your usual work account.'],
  ])('to a person carries a link that %s, and says so', (_name, linkExpiresAt, said) => {
    const link = 'https://sign.example.test/settings/setup#a-setup-token'
    const { envelopeId: _, signerId: __, ...due } = dueMail('SIGNING_LINK', link)
    const createdAt = new Date('2026-11-21T14:00:00Z')
    const mail = renderMail({ keys, settings }, {
      ...due,
      template: 'PANEL_SETUP',
      createdAt,
      isElsewhere: false,
      linkExpiresAt,
    } satisfies PersonMailJob)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(link)
      expect(part).toContain(said)
    }
    expect(mail.subject).toBe('Your access to Sealwright: Nordlicht GmbH')
  })

  test('to an address with an account elsewhere says what to do, and gives no link', () => {
    const {
      envelopeId: _,
      signerId: __,
      ...due
    } = dueMail('SIGNING_LINK', 'https://sign.example.test/settings/setup#a-setup-token')
    const createdAt = new Date('2026-11-21T14:00:00Z')
    const mail = renderMail({ keys, settings }, {
      ...due,
      template: 'PANEL_SETUP',
      createdAt,
      isElsewhere: true,
    } satisfies PersonMailJob)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('ada@example.test')
      expect(part).toContain('ask for an invitation to another address of yours')
      expect(part).not.toMatch(/https?:|href|a-setup-token/)
    }
    expect(mail.subject).toBe('Your access to Sealwright: Nordlicht GmbH')
  })

  test.each([
    [
      '203.0.113.7',
      'was changed on 21 November 2026, 14:00 UTC from the address 203.0.113.7. You have been signed out everywhere else.',
    ],
    ['', 'was changed on 21 November 2026, 14:00 UTC. You have been signed out everywhere else.'],
  ])('tells a person when and from where their password was changed (%j), and gives no link to follow', (address, said) => {
    const { envelopeId: _, signerId: __, ...due } = dueMail('SIGNING_LINK', address)
    const createdAt = new Date('2026-11-21T14:00:00Z')
    const mail = renderMail({ keys, settings }, {
      ...due,
      template: 'PASSWORD_CHANGED',
      createdAt,
      isElsewhere: true,
    } satisfies PersonMailJob)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(said)
      expect(part).toContain('If it was not you, ask an admin of your organisation')
      expect(part).not.toMatch(/https?:|href/)
    }
    expect(mail.subject).toBe('Your Sealwright password was changed: Nordlicht GmbH')
  })

  test.each([
    ['SET_UP', 'Second factor set up', 'takes your password and a code of your authenticator app'],
    ['REMOVED', 'Second factor removed', 'takes only your password'],
    ['RECOVERY_CODE_USED', 'Recovery code used', 'This code does not work any more'],
    ['RECOVERY_CODES_RENEWED', 'New recovery codes', 'The earlier codes do not work any more'],
    ['RESET', 'Second factor reset', 'You have been signed out everywhere. Sign in with your password'],
  ] as const)('tells a person of the change %s of their second factor, and gives no link to follow', (change, heading, said) => {
    const { envelopeId: _, signerId: __, ...due } = dueMail('SIGNING_LINK', JSON.stringify({ change, address: '203.0.113.7' }))
    const mail = renderMail({ keys, settings }, {
      ...due,
      template: 'FACTOR_CHANGED',
      createdAt: new Date('2026-11-21T14:00:00Z'),
      isElsewhere: false,
    } satisfies PersonMailJob)
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('on 21 November 2026, 14:00 UTC')
      expect(part).toContain(said)
      expect(part.includes('203.0.113.7')).toBe(change !== 'RESET')
      expect(part).not.toMatch(/https?:|href/)
    }
    expect(mail.subject).toBe(`${heading}: Nordlicht GmbH`)
  })

  test.each([
    [
      'WEBHOOK_DISABLED',
      'A webhook was disabled: Nordlicht GmbH',
      ['The last attempt failed: The host name does not resolve.', 'send a test from the settings', 'are not sent later'],
    ],
    [
      'WEBHOOK_ENABLED',
      'A webhook was enabled again: Nordlicht GmbH',
      ['sends new events to it', 'send the deliveries again that gave up', 'are not sent later'],
    ],
  ] as const)('about a webhook (%s) says when, which, why and what to do', (template, subject, said) => {
    const url = 'https://receiver.example/hooks'
    const secret = JSON.stringify({ url, lastError: 'The host name does not resolve.' })
    const { envelopeId: _, signerId: __, ...due } = dueMail('SIGNING_LINK', secret)
    const createdAt = new Date('2026-11-21T14:00:00Z')
    const mail = renderMail({ keys, settings }, { ...due, template, createdAt, isElsewhere: false } satisfies PersonMailJob)
    for (const part of [mail.text, mail.html])
      for (const each of [...said, url, 'on 21 November 2026, 14:00 UTC', 'https://sign.example.test/settings/webhooks'])
        expect(part).toContain(each)
    expect(mail.subject).toBe(subject)
  })

  test("never carries another mail's secret", () => {
    expect(() => renderMail({ keys, settings }, dueMail('SIGNING_LINK', 'a-signing-token', randomUUID()))).toThrow()
  })
})
