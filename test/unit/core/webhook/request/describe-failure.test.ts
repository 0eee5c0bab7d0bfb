import { describeFailure } from '#core/webhook/request/describe-failure.ts'
import { expect, test } from 'vitest'

test.each([
  [
    { code: 'TLS_EXPIRED', detail: '2026-10-01' },
    'The TLS certificate expired on 1 October 2026.',
    'Das TLS-Zertifikat ist am 1. Oktober 2026 abgelaufen.',
  ],
  [{ code: 'TLS_EXPIRED' }, 'The TLS certificate has expired.', 'Das TLS-Zertifikat ist abgelaufen.'],
  [
    { code: 'HTTP_STATUS', detail: '503' },
    'The receiver answered with HTTP status 503.',
    'Der Empfänger antwortete mit dem HTTP-Status 503.',
  ],
  [
    { code: 'ADDRESS_NOT_ALLOWED' },
    'The address is not allowed: it is not public.',
    'Die Adresse ist nicht erlaubt: Sie ist nicht öffentlich.',
  ],
  [{ code: 'URL_NOT_ALLOWED', detail: 'scheme' }, 'The URL must begin with https://.', 'Die URL muss mit https:// beginnen.'],
  [{ code: 'URL_NOT_ALLOWED' }, 'The URL is not allowed.', 'Die URL ist nicht erlaubt.'],
] as const)('%o is described in both languages', (failure, english, german) => {
  expect(describeFailure(failure, 'en')).toBe(english)
  expect(describeFailure(failure, 'de')).toBe(german)
})
