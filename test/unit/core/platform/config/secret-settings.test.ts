import { Secret } from '#core/platform/config/secret.ts'
import { SETTINGS } from '#core/platform/config/settings.ts'
import { tmpdir } from 'node:os'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { secretFile } from '../../../../support/servers/secret-file.ts'
import { errorsOf, settingsOf } from '../../../../support/judges/settings-errors.ts'

describe('a secret', () => {
  test('may come from a file, without the line break at its end', () => {
    const { databaseUrl } = settingsOf({ SEALWRIGHT_DATABASE_URL_FILE: secretFile('postgres://a b@host/x\n') })
    expect(databaseUrl).toBeInstanceOf(Secret)
    expect(databaseUrl?.reveal()).toBe('postgres://a b@host/x')
  })

  test('may come from the environment', () => {
    expect(settingsOf({ SEALWRIGHT_DATABASE_URL: 'postgres://host/x' }).databaseUrl?.reveal()).toBe('postgres://host/x')
  })

  test('comes from one place', () => {
    const environment = {
      SEALWRIGHT_DATABASE_URL: 'postgres://host/x',
      SEALWRIGHT_DATABASE_URL_FILE: secretFile('postgres://host/y'),
    }
    expect(errorsOf(environment)).toEqual([
      'SEALWRIGHT_DATABASE_URL and SEALWRIGHT_DATABASE_URL_FILE are both set; use only one.',
    ])
  })

  test.each(['', '\n', ' \t\r\n'])('that is a file with %j is a fault, not a setting that was left out', (text) => {
    expect(errorsOf({ SEALWRIGHT_SMTP_URL_FILE: secretFile(text) })).toEqual([
      'SEALWRIGHT_SMTP_URL_FILE refers to an empty file.',
    ])
  })

  test('that is a folder is a fault', () => {
    expect(errorsOf({ SEALWRIGHT_SMTP_URL_FILE: tmpdir() })).toEqual([
      expect.stringMatching(/^SEALWRIGHT_SMTP_URL_FILE cannot be read: EISDIR/),
    ])
  })

  test('is shown neither with the settings nor with their faults', () => {
    const key = `${'hush/'.repeat(8)}hus=`
    const forms: Record<string, string> = {
      SEALWRIGHT_INSTALLATION_KEY: key,
      SEALWRIGHT_PREVIOUS_INSTALLATION_KEY: key,
      SEALWRIGHT_DATABASE_URL: 'postgres://x:hush!@host/x',
      SEALWRIGHT_SMTP_URL: 'smtp://x:hush!@host',
    }
    const names = Object.values(SETTINGS).flatMap(({ name, secret }) => (secret ? [name] : []))
    const secrets = Object.fromEntries(names.map((name) => [name, forms[name] ?? 'hush!']))
    const settings = settingsOf({
      ...secrets,
      SEALWRIGHT_SIGNING_KEY_P12_FILE: 'package.json',
      SEALWRIGHT_S3_ENDPOINT: 'http://s3',
      SEALWRIGHT_S3_BUCKET: 'b',
      SEALWRIGHT_S3_ACCESS_KEY_ID: 'a',
      SEALWRIGHT_OIDC_ISSUER: 'https://id.example.test',
      SEALWRIGHT_OIDC_CLIENT_ID: 'a',
    })
    expect(settings.smtpUrl?.reveal()).toBe('smtp://x:hush!@host')
    expect([inspect(settings, { depth: null }), JSON.stringify(settings)].join()).not.toContain('hush')
    expect(errorsOf({ ...secrets, SEALWRIGHT_PORT: 'x', SEALWRIGHT_SMTP_URL_FILE: '/x' }).join()).not.toContain('hush')
    const malformed = Object.fromEntries(names.map((name) => [name, `hush ${secrets[name]}%`]))
    expect(errorsOf(malformed).length).toBeGreaterThanOrEqual(3)
    expect(errorsOf(malformed).join()).not.toContain('hush')
  })
})
