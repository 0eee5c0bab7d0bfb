import { type Environment, SETTINGS } from '#core/platform/config/settings.ts'
import { readRequiredSettings, readSettings } from '#core/platform/config/read-settings.ts'
import { Secret } from '#core/platform/config/secret.ts'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { secretFile } from '../../../../support/servers/secret-file.ts'
import { errorsOf, settingsOf } from '../../../../support/judges/settings-errors.ts'

describe('settings', () => {
  test('have the defaults of the contract', () => {
    const { settings, withoutEffect } = readSettings({})
    expect(withoutEffect).toEqual([])
    expect(settings).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      accessTokenTtlSeconds: 300,
      otpTtlSeconds: 600,
      otpResendCooldownSeconds: 60,
      otpMaxTries: 5,
      viewDedupWindowSeconds: 30,
      signingLinkTtlSeconds: 72 * 3_600,
      envelopeMinExpirySeconds: 300,
      expirySweepIntervalSeconds: 15,
      unattachedUploadTtlSeconds: 24 * 3_600,
      sweepIntervalSeconds: 60,
      presignedUrlTtlSeconds: 3_600,
      maxUploadBytes: 52_428_800,
      refuseActiveContent: true,
      repairDocuments: true,
      quotaStorageBytes: 10 * 1024 ** 3,
      quotaEnvelopesSentPerDay: 1_000,
      quotaOpenEnvelopes: 10_000,
      quotaEmailsPerHour: 1_000,
      quotaApiRequestsPerMinute: 600,
      rateUploadsPerMinute: 60,
      rateTokenPerMinute: 30,
      rateCeremonyPerTokenPerMinute: 60,
      rateCeremonyPerAddressPerMinute: 300,
      rateVerifyPerMinute: 30,
      trustedProxies: 0,
    })
  })

  test('have no default for a secret', () => {
    const settings = settingsOf({})
    const keys = [
      'installationKey',
      'previousInstallationKey',
      'databaseUrl',
      's3SecretAccessKey',
      'smtpUrl',
      'signingKeyP12Password',
      'oidcClientSecret',
    ] as const
    expect(Object.entries(SETTINGS).flatMap(([key, { secret }]) => (secret ? [key] : []))).toEqual(keys)
    for (const key of keys) expect(settings[key]).toBe(undefined)
  })

  test.each([
    ['a number', { SEALWRIGHT_PORT: '9000' }, { port: 9000 }],
    [
      'names of hosts, as a Host header has them',
      { SEALWRIGHT_ALLOWED_HOSTS: 'Sign.example.test, sealwright-api, ::1' },
      { allowedHosts: ['sign.example.test', 'sealwright-api', '[::1]'] },
    ],
    ['a port that is chosen freely', { SEALWRIGHT_PORT: '0' }, { port: 0 }],
    ['a flag', { SEALWRIGHT_REFUSE_ACTIVE_CONTENT: 'false' }, { refuseActiveContent: false }],
    ['a duration', { SEALWRIGHT_OTP_TTL: '5m' }, { otpTtlSeconds: 300 }],
    ['a quota that is off', { SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '0' }, { quotaOpenEnvelopes: 0 }],
    [
      'a URL, without slashes at its end',
      { SEALWRIGHT_PUBLIC_URL: 'https://sign.example.test//' },
      { publicUrl: 'https://sign.example.test' },
    ],
    ...[
      'postgres://a b@host/x',
      'postgresql://u:p%40ss@[::1]:5432/x?sslmode=verify-full',
      'postgres://u:p@one:5432,two:5433/x?target_session_attrs=primary',
    ].map((SEALWRIGHT_DATABASE_URL): [string, Environment, object] => [
      SEALWRIGHT_DATABASE_URL,
      { SEALWRIGHT_DATABASE_URL },
      { databaseUrl: new Secret(SEALWRIGHT_DATABASE_URL) },
    ]),
    ...['0.0.0.0', '::', '::1', 'localhost', 'sign-1.example.test'].map((SEALWRIGHT_HOST): [string, Environment, object] => [
      `the host ${SEALWRIGHT_HOST}`,
      { SEALWRIGHT_HOST },
      { host: SEALWRIGHT_HOST },
    ]),
    ['as long a seal as may be', { SEALWRIGHT_SEAL_TIMEOUT: '9m' }, { sealTimeoutSeconds: 540 }],
    ['a shorter life of tokens', { SEALWRIGHT_ACCESS_TOKEN_TTL: '60s' }, { accessTokenTtlSeconds: 60 }],
    ['nothing, which is not set', { SEALWRIGHT_PORT: '', SEALWRIGHT_PUBLIC_URL: '' }, { port: 8080 }],
  ])('take %s', (_, environment: Environment, expected) => {
    expect(settingsOf(environment)).toMatchObject(expected)
  })

  test.each([
    ...['sign.example.test:8443', 'a,,b', '*.example.test', 'http://a'].map((SEALWRIGHT_ALLOWED_HOSTS): [Environment, string] => [
      { SEALWRIGHT_ALLOWED_HOSTS },
      'SEALWRIGHT_ALLOWED_HOSTS must be host names without ports, separated by commas.',
    ]),
    [{ SEALWRIGHT_MAIL_KEEP: 'yes' }, 'SEALWRIGHT_MAIL_KEEP must be true or false.'],
    [
      { SEALWRIGHT_MAIL_KEEP: 'true', SEALWRIGHT_SMTP_URL: 'smtp://mail.example.test' },
      'SEALWRIGHT_MAIL_KEEP=true contradicts SEALWRIGHT_SMTP_URL; set only one of them.',
    ],
    [{ SEALWRIGHT_PORT: '65536' }, 'SEALWRIGHT_PORT must be a port from 0 to 65535.'],
    [{ SEALWRIGHT_PORT: '80.5' }, 'SEALWRIGHT_PORT must be a whole number.'],
    [{ SEALWRIGHT_PORT: ' 80' }, 'SEALWRIGHT_PORT must be a whole number.'],
    ...['requrie', 'verify-ca', 'allow', 'Require', ''].map((mode): [Environment, string] => [
      { SEALWRIGHT_DATABASE_URL: `postgres://u:p@host/x?application_name=a&sslmode=${mode}` },
      'SEALWRIGHT_DATABASE_URL must have an sslmode of disable, prefer, require or verify-full.',
    ]),
    [{ SEALWRIGHT_DATABASE_POOL: '0' }, 'SEALWRIGHT_DATABASE_POOL must be greater than 0.'],
    [{ SEALWRIGHT_SEAL_TIMEOUT: '541s' }, 'SEALWRIGHT_SEAL_TIMEOUT must be at most 9m.'],
    [{ SEALWRIGHT_DATABASE_POOL: '-1' }, 'SEALWRIGHT_DATABASE_POOL must be a whole number.'],
    [{ SEALWRIGHT_QUOTA_STORAGE_BYTES: '9'.repeat(16) }, 'SEALWRIGHT_QUOTA_STORAGE_BYTES must be a whole number.'],
    [{ SEALWRIGHT_REFUSE_ACTIVE_CONTENT: 'yes' }, 'SEALWRIGHT_REFUSE_ACTIVE_CONTENT must be true or false.'],
    [{ SEALWRIGHT_OTP_TTL: '10' }, 'SEALWRIGHT_OTP_TTL must be a duration such as 300s, 5m, 72h or 90d.'],
    [{ SEALWRIGHT_ACCESS_TOKEN_TTL: '301s' }, 'SEALWRIGHT_ACCESS_TOKEN_TTL must be at most 300s.'],
    [{ SEALWRIGHT_PUBLIC_URL: 'sign.example.test' }, 'SEALWRIGHT_PUBLIC_URL must be an http or https URL.'],
    [{ SEALWRIGHT_PUBLIC_URL: 'ftp://sign.example.test' }, 'SEALWRIGHT_PUBLIC_URL must be an http or https URL.'],
    ...[
      'https://ada@sign.example.test',
      'https://sign.example.test/?x=1',
      'https://sign.example.test/#x',
      'http://a:b@host/x',
    ].map((SEALWRIGHT_PUBLIC_URL): [Environment, string] => [
      { SEALWRIGHT_PUBLIC_URL },
      'SEALWRIGHT_PUBLIC_URL must be a URL without user, query or fragment.',
    ]),
    ...['sign example', 'http://host', '1.2.3', '256.1.1.1', 'host:80', '-', 'a..b', '[::1]', '::g', 'fe80::1%eth0'].map(
      (SEALWRIGHT_HOST): [Environment, string] => [
        { SEALWRIGHT_HOST },
        'SEALWRIGHT_HOST must be a host name, or an IP address without a zone.',
      ],
    ),
    [
      { SEALWRIGHT_PUBLIC_URL: 'https://example.test/sign/' },
      'SEALWRIGHT_PUBLIC_URL must not have a path: the pages are served at the root of the host.',
    ],
    [{ SEALWRIGHT_SIGNING_LINK_TTL: '91d' }, 'SEALWRIGHT_SIGNING_LINK_TTL must be at most 2160h.'],
    [{ SEALWRIGHT_ENVELOPE_MIN_EXPIRY: '367d' }, 'SEALWRIGHT_ENVELOPE_MIN_EXPIRY must be at most 366d.'],
    [{ SEALWRIGHT_PRESIGNED_URL_TTL: '8d' }, 'SEALWRIGHT_PRESIGNED_URL_TTL must be at most 7d.'],
    [{ SEALWRIGHT_SWEEP_INTERVAL: '25h' }, 'SEALWRIGHT_SWEEP_INTERVAL must be at most 1d.'],
    [{ SEALWRIGHT_LOG_LEVEL: 'loud' }, 'SEALWRIGHT_LOG_LEVEL must be one of trace, debug, info, warn, error, silent.'],
    [{ SEALWRIGHT_PORTS: '80' }, 'SEALWRIGHT_PORTS is not a known setting.'],
    ...['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), Buffer.alloc(32).toString('hex')].map(
      (SEALWRIGHT_INSTALLATION_KEY): [Environment, string] => [
        { SEALWRIGHT_INSTALLATION_KEY },
        'SEALWRIGHT_INSTALLATION_KEY must be 32 bytes in base64, such as the output of openssl rand -base64 32.',
      ],
    ),
    ...['localhost/x', 'mysql://host/x', 'postgres://', 'postgres://host:port/x', 'postgres://a:100%@host/x'].map(
      (SEALWRIGHT_DATABASE_URL): [Environment, string] => [
        { SEALWRIGHT_DATABASE_URL },
        'SEALWRIGHT_DATABASE_URL must look like postgres://user:password@host:5432/database.',
      ],
    ),
    ...['mail.example.test', 'http://mail.example.test', 'smtp://', 'smtp://a:100%@host'].map(
      (SEALWRIGHT_SMTP_URL): [Environment, string] => [
        { SEALWRIGHT_SMTP_URL },
        'SEALWRIGHT_SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host.',
      ],
    ),
    [
      { SEALWRIGHT_MAIL_FROM: 'Sealwright' },
      'SEALWRIGHT_MAIL_FROM must be an email address, such as sign@example.com or Sealwright <sign@example.com>.',
    ],
    [
      { SEALWRIGHT_SIGNING_KEY_P12_PASSWORD: 'x' },
      'SEALWRIGHT_SIGNING_KEY_P12_PASSWORD has no effect without SEALWRIGHT_SIGNING_KEY_P12_FILE.',
    ],
    [
      { SEALWRIGHT_NATS_CREDS_FILE: 'package.json', SEALWRIGHT_NATS_URL: 'nats://127.0.0.1' },
      'SEALWRIGHT_NATS_CREDS_FILE contains no NATS user credentials (a JWT and a seed, as nsc writes them).',
    ],
    [{ SEALWRIGHT_PORT_FILE: '/x' }, 'SEALWRIGHT_PORT_FILE is not a known setting.'],
  ])('refuse %j', (environment: Environment, fault) => {
    expect(errorsOf(environment)).toEqual([fault])
  })

  describe('of an identity provider', () => {
    const oidc = { SEALWRIGHT_OIDC_CLIENT_ID: 'sealwright', SEALWRIGHT_OIDC_CLIENT_SECRET: 'hush!' }

    test.each([
      'https://id.example.test/',
      'https://id.example.test/realms/acme',
      'http://127.0.0.1:8090',
      'http://localhost',
      'http://[::1]:1/',
    ])('take the issuer %s to the letter', (issuer) => {
      expect(settingsOf({ ...oidc, SEALWRIGHT_OIDC_ISSUER: issuer }).oidcIssuer).toBe(issuer)
    })

    test.each([
      'http://id.example.test',
      'http://localhost.example.test',
      'http://localhost:80@example.test',
      'id.example.test',
      'ldap://id.example.test',
    ])('refuse the issuer %s', (issuer) => {
      expect(errorsOf({ ...oidc, SEALWRIGHT_OIDC_ISSUER: issuer })).toContain('SEALWRIGHT_OIDC_ISSUER must be an https URL.')
    })

    test('are needed together', () => {
      expect(errorsOf({ SEALWRIGHT_OIDC_ISSUER: 'https://id.example.test' })).toEqual([
        'OpenID Connect sign-in also requires SEALWRIGHT_OIDC_CLIENT_ID, SEALWRIGHT_OIDC_CLIENT_SECRET.',
      ])
    })
  })

  test('name every fault at once', () => {
    const environment = {
      SEALWRIGHT_UNKNOWN: 'x',
      SEALWRIGHT_PORT: 'x',
      SEALWRIGHT_OTP_TTL: 'x',
      SEALWRIGHT_SMTP_URL_FILE: path.join(tmpdir(), 'missing'),
      SEALWRIGHT_S3_BUCKET: 'documents',
      SEALWRIGHT_SIGNING_KEY_P12_FILE: tmpdir(),
      SEALWRIGHT_NATS_URL: 'nats://127.0.0.1',
      SEALWRIGHT_NATS_CREDS_FILE: path.join(tmpdir(), 'missing'),
    }
    expect(errorsOf(environment)).toEqual([
      'SEALWRIGHT_UNKNOWN is not a known setting.',
      expect.stringMatching(/^SEALWRIGHT_PORT /),
      expect.stringMatching(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: ENOENT/),
      expect.stringMatching(/^SEALWRIGHT_SMTP_URL_FILE cannot be read: ENOENT/),
      'SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: it is not a file.',
      expect.stringMatching(/^SEALWRIGHT_OTP_TTL /),
      'S3 also requires SEALWRIGHT_S3_ENDPOINT, SEALWRIGHT_S3_ACCESS_KEY_ID, SEALWRIGHT_S3_SECRET_ACCESS_KEY.',
    ])
    expect(() => readSettings(environment)).toThrow(/UNKNOWN[^]*PORT[^]*SMTP[^]*OTP[^]*S3/)
  })

  test('that a process cannot do without are named when they are missing, with the other faults', () => {
    const file = secretFile('postgres://host/x')
    const read = (environment: Environment) => () => readRequiredSettings(environment, ['databaseUrl', 'installationKey'])
    expect(read({ SEALWRIGHT_PORT: 'x' })).toThrow(
      /^SEALWRIGHT_DATABASE_URL is not set.*\nSEALWRIGHT_INSTALLATION_KEY is not set.*\nSEALWRIGHT_SMTP_URL is not set.*\nSEALWRIGHT_PORT /,
    )
    expect(read({ SEALWRIGHT_DATABASE_URL_FILE: file, SEALWRIGHT_MAIL_KEEP: 'true' })).toThrow(
      /^SEALWRIGHT_INSTALLATION_KEY is not set; this process requires it\.$/,
    )
    const key = Buffer.alloc(32).toString('base64')
    const complete = { SEALWRIGHT_DATABASE_URL_FILE: file, SEALWRIGHT_INSTALLATION_KEY: key, SEALWRIGHT_MAIL_KEEP: 'true' }
    expect(read(complete)()).toMatchObject({ port: 8080 })
  })

  test('do not care for names of others', () => {
    expect(errorsOf({ PATH: '/bin', SEALWRIGHT: 'x', MY_SEALWRIGHT_PORT: 'x', SEALWRIGHT_CACHE_DIR: '/x' })).toEqual([])
  })

  test('of parts that this version does not have are taken and named', () => {
    const { withoutEffect } = readSettings({
      SEALWRIGHT_TSA_URL: 'http://x',
      SEALWRIGHT_DRAFT_TTL: '',
    })
    expect(withoutEffect).toEqual(['SEALWRIGHT_TSA_URL'])
  })

  test('of NATS take a file of credentials as nsc writes it, and only with a server', () => {
    const file = secretFile(
      '-----BEGIN NATS USER JWT-----\neyJ0.e30.x\n------END NATS USER JWT------\n\n*** IMPORTANT ***\n\n' +
        '-----BEGIN USER NKEY SEED-----\nSUAO\n------END USER NKEY SEED------\n\n*****\n',
    )
    const environment = { SEALWRIGHT_NATS_CREDS_FILE: file, SEALWRIGHT_NATS_URL: 'nats://127.0.0.1' }
    expect(settingsOf(environment).natsCredsFile).toBe(file)
    expect(errorsOf({ SEALWRIGHT_NATS_CREDS_FILE: file })).toEqual([
      'SEALWRIGHT_NATS_CREDS_FILE has no effect without SEALWRIGHT_NATS_URL.',
    ])
  })

  test('of S3 come all or none', () => {
    const all = {
      SEALWRIGHT_S3_ENDPOINT: 'https://s3.example.test',
      SEALWRIGHT_S3_BUCKET: 'documents',
      SEALWRIGHT_S3_ACCESS_KEY_ID: 'id',
      SEALWRIGHT_S3_SECRET_ACCESS_KEY: 'key',
    }
    expect(errorsOf(all)).toEqual([])
    for (const name of Object.keys(all)) expect(errorsOf({ ...all, [name]: undefined })).toEqual([`S3 also requires ${name}.`])
    const file = secretFile('key')
    expect(errorsOf({ ...all, SEALWRIGHT_S3_SECRET_ACCESS_KEY: undefined, SEALWRIGHT_S3_SECRET_ACCESS_KEY_FILE: file })).toEqual(
      [],
    )
    expect(errorsOf({ ...all, SEALWRIGHT_S3_SECRET_ACCESS_KEY: '', SEALWRIGHT_S3_SECRET_ACCESS_KEY_FILE: file })).toEqual([])
  })
})
