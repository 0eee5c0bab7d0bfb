import { plainConnections } from '#core/platform/config/plain-connections.ts'
import { readSettings, SettingsError } from '#core/platform/config/read-settings.ts'
import { describe, expect, test } from 'vitest'

const DATABASE = 'SEALWRIGHT_DATABASE_URL'
const NATS = 'SEALWRIGHT_NATS_URL'
const S3 = {
  SEALWRIGHT_S3_BUCKET: 'b',
  SEALWRIGHT_S3_ACCESS_KEY_ID: 'a',
  SEALWRIGHT_S3_SECRET_ACCESS_KEY: 's',
}

describe('a connection to another machine', () => {
  // requirements: decisions/security/connections without TLS
  test.each([
    ['Postgres without sslmode', { [DATABASE]: 'postgres://u:p@db/x' }],
    ['Postgres with sslmode=disable', { [DATABASE]: 'postgres://u:p@db.example.test:5432/x?sslmode=disable' }],
    ['Postgres with sslmode=prefer', { [DATABASE]: 'postgresql://u:p@10.0.0.1/x?sslmode=prefer' }],
    ['one of several Postgres servers', { [DATABASE]: 'postgres://u:p@127.0.0.1:5432,db:5432/x' }],
    ['Postgres by a name that begins like this machine', { [DATABASE]: 'postgres://u:p@localhost.example.test/x' }],
    ['NATS', { [NATS]: 'nats://nats.messaging.svc:4222' }],
    ['one of several NATS servers', { [NATS]: 'tls://one:4222, nats://two:4222' }],
  ])('is refused without TLS when that is required, and else a warning: %s', (_name, environment) => {
    const { settings } = readSettings(environment)
    const { refusable } = plainConnections(settings)
    expect(refusable).toEqual([expect.stringContaining(`${Object.keys(environment)[0]} leads to another machine without TLS`)])
    expect(() => readSettings({ ...environment, SEALWRIGHT_REQUIRE_TLS: 'true' })).toThrow(new SettingsError(refusable))
  })

  test.each([
    ['Postgres with sslmode=require', { [DATABASE]: 'postgres://u:p@db/x?sslmode=require' }],
    [
      'Postgres with sslmode=verify-full',
      { [DATABASE]: 'postgres://u:p@one,two/x?target_session_attrs=primary&sslmode=verify-full' },
    ],
    ['Postgres on this machine', { [DATABASE]: 'postgres://u:p@127.0.0.1:5432/x' }],
    ['Postgres on this machine by IPv6', { [DATABASE]: 'postgres://u:p@[::1]:5432/x' }],
    ['NATS with TLS', { [NATS]: 'tls://one:4222,tls://two:4222' }],
    ['NATS on this machine', { [NATS]: 'nats://localhost:4222' }],
    ['an object store with TLS', { SEALWRIGHT_S3_ENDPOINT: 'https://s3.example.test', ...S3 }],
    ['a mail server that requires STARTTLS', { SEALWRIGHT_SMTP_URL: 'smtp://u:p@mail.example.test' }],
    ['a mail server with TLS', { SEALWRIGHT_SMTP_URL: 'smtps://mail.example.test' }],
  ])('is fine with TLS, or on this machine: %s', (_name, environment) => {
    const { settings } = readSettings({ ...environment, SEALWRIGHT_REQUIRE_TLS: 'true' })
    expect(plainConnections(settings)).toEqual({ refusable: [], others: [] })
  })

  test.each([
    ['an object store', { SEALWRIGHT_S3_ENDPOINT: 'http://store:9000', ...S3 }],
    ['a mail server without a password', { SEALWRIGHT_SMTP_URL: 'smtp://mail.example.test' }],
  ])('is never refused, but a warning without the address: %s', (_name, environment) => {
    const { settings } = readSettings({ ...environment, SEALWRIGHT_REQUIRE_TLS: 'true' })
    const { refusable, others } = plainConnections(settings)
    expect([refusable.length, others.length]).toEqual([0, 1])
    expect(others.join()).not.toMatch(/store:9000|example/)
  })
})
