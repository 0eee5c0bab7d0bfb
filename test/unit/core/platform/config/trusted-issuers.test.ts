import { readSettings, SettingsError } from '#core/platform/config/read-settings.ts'
import { describe, expect, test } from 'vitest'

const GOOD = { issuer: 'https://login.example.com/realms/acme', audience: 'sealwright', orgClaim: 'org', rolesClaim: 'roles' }

function errorsOf(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  try {
    readSettings({ SEALWRIGHT_TRUSTED_TOKEN_ISSUERS: text })
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.errors
    throw error
  }
}

describe('SEALWRIGHT_TRUSTED_TOKEN_ISSUERS', () => {
  test('is empty by default', () => {
    expect(readSettings({}).settings.trustedTokenIssuers).toEqual([])
  })

  test('keeps an issuer exactly, with its trailing slash', () => {
    const issuers = [
      { ...GOOD, issuer: 'https://tenant.example.com/' },
      { ...GOOD, jwksUri: 'http://localhost:8081/certs' },
    ]
    expect(readSettings({ SEALWRIGHT_TRUSTED_TOKEN_ISSUERS: JSON.stringify(issuers) }).settings.trustedTokenIssuers).toEqual(
      issuers,
    )
  })

  test.each<[unknown, string]>([
    ['{', 'must be a JSON array'],
    [{}, 'must be a JSON array'],
    [['x'], '[0]'],
    [[{ ...GOOD, issuer: undefined }], '[0].issuer must be a string'],
    [[{ ...GOOD, audience: ' ' }], '[0].audience must not be empty'],
    [[{ ...GOOD, issuer: 'http://login.example.com' }], '[0].issuer must be an https URL'],
    [[{ ...GOOD, issuer: 'http://localhost.example.com' }], '[0].issuer must be an https URL'],
    [[{ ...GOOD, issuer: 'https://login.example.com/?realm=acme' }], '[0].issuer must not have a query'],
    [[{ ...GOOD, jwksUri: 'https://user:word@login.example.com/certs' }], '[0].jwksUri must be an https URL'],
    [[GOOD, { ...GOOD, audience: 'another' }], '[1].issuer is a duplicate'],
    [[{ ...GOOD, secret: 'x' }], '[0]'],
  ])('refuses %j', (value, expected) => {
    expect(errorsOf(value).join()).toContain(`SEALWRIGHT_TRUSTED_TOKEN_ISSUERS ${expected}`)
  })

  test('reports all errors at once', () => {
    const [expected] = errorsOf([
      { ...GOOD, orgClaim: '' },
      { ...GOOD, issuer: 'ftp://x', rolesClaim: 5 },
    ])
    expect(expected).toMatch(/\[0\]\.orgClaim .*\[1\]\.issuer .*\[1\]\.rolesClaim /)
  })
})
