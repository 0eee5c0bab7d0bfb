// Values that look like a setting and that a library, a column or a header would only refuse once they are used.
import type { Environment } from '#core/platform/config/settings.ts'
import { describe, expect, test } from 'vitest'
import { secretFile } from '../../../../support/servers/secret-file.ts'
import { errorsOf, settingsOf } from '../../../../support/judges/settings-errors.ts'

const S3 = {
  SEALWRIGHT_S3_ENDPOINT: 'https://s3.example.test',
  SEALWRIGHT_S3_BUCKET: 'documents',
  SEALWRIGHT_S3_ACCESS_KEY_ID: 'id',
  SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'key',
}

/** Each value of one setting with the sentence that rejects it. */
function rejected(name: string, values: readonly string[], sentence: string): [Environment, string][] {
  return values.map((value) => [{ [name]: value }, `${name} ${sentence}.`])
}

test.each([
  ...rejected('SEALWRIGHT_DATABASE_POOL', ['1001', '99999999999'], 'must be at most 1000'),
  ...rejected('SEALWRIGHT_SEAL_THREADS', ['0'], 'must be greater than 0'),
  ...rejected('SEALWRIGHT_SEAL_THREADS', ['257', '1000000000'], 'must be at most 256'),
  ...rejected('SEALWRIGHT_OTP_MAX_TRIES', ['1001', '2147483648'], 'must be at most 1000'),
  ...rejected(
    'SEALWRIGHT_DATABASE_URL',
    ['sslmode=require&sslmode=requrie', 'ssl%6Dode=requrie'].map((query) => `postgres://u:p@host/x?${query}`),
    'must have an sslmode of disable, prefer, require or verify-full',
  ),
  ...rejected(
    'SEALWRIGHT_DATABASE_URL',
    ['host', 'one:5432,two:5433'].map((hosts) => `postgres://u:p@${hosts}/x?target_session_attrs=any`),
    'must have a target_session_attrs of read-write, read-only, primary, standby or prefer-standby',
  ),
  ...rejected(
    'SEALWRIGHT_NATS_URL',
    ['127.0.0.1:4222', 'http://host', 'nats://', 'nats://?x', 'nats://host:99999', 'nats://one,nats://two:port', 'nats://one,'],
    'must be nats://host:port or tls://host:port, or a comma-separated list of them',
  ),
  ...rejected(
    'SEALWRIGHT_NATS_URL',
    ['nats://user:p%zz@host', 'nats://one,tls://user%:hush@two'],
    'must have a percent-encoded user and password (a percent sign is %25)',
  ),
  ...rejected(
    'SEALWRIGHT_S3_REGION',
    ['not a region', 'eu_west', 'eu.west', '*', '-eu', 'eu-', 'eu\n', 'x'.repeat(64), 'fips-us-east-1', 'us-east-1-fips'],
    'must be a region name of letters, digits and hyphens, such as us-east-1',
  ),
])('%j is refused', (environment, fault) => {
  expect(errorsOf(environment)).toEqual([fault])
})

test.each<[Environment, object]>([
  [{ SEALWRIGHT_DATABASE_POOL: '1000' }, { databasePool: 1_000 }],
  [{ SEALWRIGHT_SEAL_THREADS: '256' }, { sealThreads: 256 }],
  [{ SEALWRIGHT_OTP_MAX_TRIES: '1000' }, { otpMaxTries: 1_000 }],
  ...['nats://user:p%25zz@one:4222, nats://[::1]:4223', 'tls://host'].map((natsUrl): [Environment, object] => [
    { SEALWRIGHT_NATS_URL: natsUrl },
    { natsUrl },
  ]),
  ...['us-east-1', 'auto', 'garage', 'US', 'x'.repeat(63)].map((s3Region): [Environment, object] => [
    { SEALWRIGHT_S3_REGION: s3Region },
    { s3Region },
  ]),
  ...['my.documents', 'My_Documents', 'x'.repeat(63)].map((s3Bucket): [Environment, object] => [
    { ...S3, SEALWRIGHT_S3_BUCKET: s3Bucket },
    { s3Bucket },
  ]),
])('%j is taken', (environment, expected) => {
  expect(settingsOf(environment)).toMatchObject(expected)
})

test.each(['a b', 'a/b', '..', 'arn:x', 'documents\n', 'dökumente'])('the bucket %j is refused', (bucket) => {
  expect(errorsOf({ ...S3, SEALWRIGHT_S3_BUCKET: bucket })).toEqual(['SEALWRIGHT_S3_BUCKET is not a valid bucket name.'])
})

describe('keys of S3', () => {
  test.each(['hush\n', '\nhush', 'hu\tsh', 'hüsh', 'hush\u{7f}', 'hush–hush'])('are refused as %j', (key) => {
    expect(errorsOf({ ...S3, SEALWRIGHT_S3_ACCESS_KEY_ID: key, SEALWRIGHT_S3_SECRET_ACCESS_KEY: key })).toEqual(
      ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map(
        (name) => `SEALWRIGHT_S3_${name} must contain only printable ASCII characters on one line.`,
      ),
    )
  })

  test('may have signs and spaces, and in a file a line break at the end', () => {
    const { SEALWRIGHT_S3_SECRET_ACCESS_KEY: _, ...rest } = S3
    const file = secretFile('a/b+c= ~!\n')
    expect(settingsOf({ ...rest, SEALWRIGHT_S3_SECRET_ACCESS_KEY_FILE: file }).s3SecretAccessKey?.reveal()).toBe('a/b+c= ~!')
  })
})

test.each(['https://ada:hush@id.example.test', 'https://id.example.test/?x=1', 'https://id.example.test/#x'])(
  'the issuer %s, from which nothing can be fetched, is refused',
  (issuer) => {
    const oidc = { SEALWRIGHT_OIDC_CLIENT_ID: 'sealwright', SEALWRIGHT_OIDC_CLIENT_SECRET: 'hush!' }
    expect(errorsOf({ ...oidc, SEALWRIGHT_OIDC_ISSUER: issuer })).toEqual([
      'SEALWRIGHT_OIDC_ISSUER must be a URL without user, query or fragment.',
    ])
  },
)

test('all of it is reported at once, and no secret with it', () => {
  const faults = errorsOf({
    ...S3,
    SEALWRIGHT_NATS_URL: 'nats://user:hush%zz@host:99999',
    SEALWRIGHT_DATABASE_POOL: '99999999999',
    SEALWRIGHT_S3_REGION: 'not a region',
    SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'hush\n',
  })
  expect(faults.map((fault) => /^SEALWRIGHT_(\w+) must/.exec(fault)?.[1])).toEqual([
    'DATABASE_POOL',
    'NATS_URL',
    'S3_REGION',
    'S3_SECRET_ACCESS_KEY',
  ])
  expect(faults.join()).not.toContain('hush')
})
