import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { redactPath } from '../../../../../api/http/middleware/redact-path.ts'

/** Has the form of a signing token. */
const TOKEN = 'Not-a-token-of-anybody_'.padEnd(43, 'x')

describe('a path in logs and responses', () => {
  test.each([
    ['of the ceremony', `/api/v1/sign/${TOKEN}`, '/api/v1/sign/***'],
    ['of an act of the ceremony', `/api/v1/sign/${TOKEN}/view-opened`, '/api/v1/sign/***/view-opened'],
    ['of signing, whose end is named like its start', `/api/v1/sign/${TOKEN}/sign`, '/api/v1/sign/***/sign'],
    ['of the signing page', `/sign/${TOKEN}`, '/sign/***'],
    ['of a token that was cut', '/sign/abc', '/sign/***'],
    ['with the token and more', `/sign/${TOKEN}%22%3E`, '/sign/***'],
  ])('%s shows no token', (_, url, masked) => {
    expect(redactPath(url)).toBe(masked)
  })

  test.each([
    `/sign//${TOKEN}`,
    `//sign/${TOKEN}`,
    `/API/v1/Sign/${TOKEN}`,
    `/api/v2/sign/${TOKEN}/sign`,
    `/proxy/sign/${TOKEN}`,
    `/sign%2F${TOKEN}`,
    `/api/v1/%73ign/${TOKEN}/sign`,
    `/api/v1/sign/.../${TOKEN}`,
    `/signing/${TOKEN}`,
    `/settings/setup/${TOKEN}`,
    `/${TOKEN}`,
    `/%2fsign%2f${TOKEN}`,
    `http://sign.example.test/sign/${TOKEN}`,
    `https://sign.example.test:8080/api/v1/sign/${TOKEN}/sign`,
  ])('that leads nowhere shows no token either: %s', (url) => {
    expect(redactPath(url)).not.toContain(TOKEN)
    expect(redactPath(url)).toContain('***')
  })

  test.each([
    ['a query', `/verify?id=1&h=${TOKEN}`, '/verify'],
    ['a query with question marks', `/verify?a?b=${TOKEN}`, '/verify'],
    [
      'the signature of a download',
      `/downloads/organisations/x/originals/y.pdf?expires=1&signature=${TOKEN}`,
      '/downloads/organisations/x/originals/y.pdf',
    ],
  ])('never shows %s', (_, url, masked) => {
    expect(redactPath(url)).toBe(masked)
  })

  test.each([
    '/',
    '',
    '/api/v1/envelopes/6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00/send',
    '/sign',
    '/sign/',
    '/signal/x',
    '/design/x',
  ])('without a token stays as it is: %s', (url) => {
    expect(redactPath(url)).toBe(url)
  })

  test('never shows any part of a token', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_.~%-]{1,60}$/),
        fc.constantFrom('', '/sign', '/verify-otp', '?x=y'),
        (secret, rest) => {
          expect(redactPath(`/api/v1/sign/${secret}${rest}`)).toBe(`/api/v1/sign/***${rest.replace(/\?.*/, '')}`)
        },
      ),
    )
  })
})
