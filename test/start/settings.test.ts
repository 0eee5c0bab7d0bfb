// Every process reports all errors of its settings at once, in plain sentences, and exits.
import { expect, test } from 'vitest'
import { runTier } from '../support/servers/tier-process.ts'

const MISSING = [
  'SEALWRIGHT_DATABASE_URL is not set; this process requires it.',
  'SEALWRIGHT_INSTALLATION_KEY is not set; this process requires it.',
]
const FAULTS = [
  'SEALWRIGHT_PORTS is not a known setting.',
  'SEALWRIGHT_METRICS_PORT must be a port from 0 to 65535.',
  expect.stringMatching(/^SEALWRIGHT_NATS_CREDS_FILE cannot be read: ENOENT/),
  expect.stringMatching(/^SEALWRIGHT_S3_CA_FILE refers to a file that cannot be read: ENOENT/),
  'SEALWRIGHT_SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host.',
  expect.stringMatching(/^SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ENOENT/),
  'OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio.',
  'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL.',
  'S3 also requires SEALWRIGHT_S3_BUCKET, SEALWRIGHT_S3_ACCESS_KEY_ID, SEALWRIGHT_S3_SECRET_ACCESS_KEY.',
  'SEALWRIGHT_NATS_CREDS_FILE has no effect without SEALWRIGHT_NATS_URL.',
]
const MISCONFIGURED = {
  SEALWRIGHT_PORTS: '80',
  SEALWRIGHT_METRICS_PORT: '99999',
  SEALWRIGHT_S3_CA_FILE: 'absent.pem',
  SEALWRIGHT_S3_ENDPOINT: 'http://127.0.0.1:9',
  SEALWRIGHT_SMTP_URL: 'mail.example.test:hush',
  SEALWRIGHT_NATS_CREDS_FILE: '/absent',
  SEALWRIGHT_SIGNING_KEY_P12_FILE: 'absent.p12',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense',
  OTEL_TRACES_SAMPLER: 'foo',
}

// requirements: running/starting/npm start, running/settings/*
test.concurrent.each([
  ['the API', ['api/main.ts'], MISSING],
  ['a relay', ['workers/main.ts', 'relay'], MISSING],
  ['a sender of mails', ['workers/main.ts', 'mail'], MISSING],
  ['a sealing worker', ['workers/main.ts', 'seal'], MISSING],
  ['the controller', ['controller/main.ts'], MISSING],
  ['the service in one process', ['hack/embedded/main.ts'], []],
])('%s tells every fault of its settings', async (_, command, missing) => {
  expect(await runTier(command, MISCONFIGURED)).toEqual({ code: 1, words: [...missing, ...FAULTS] })
})

// requirements: running/settings/SMTP
test.concurrent.each([
  ['the API', ['api/main.ts'], {}],
  ['a sender of mails', ['workers/main.ts', 'mail'], { SEALWRIGHT_MAIL_KEEP: 'false' }],
  ['the controller', ['controller/main.ts'], { SEALWRIGHT_MAIL_KEEP: '' }],
])('%s without a mail server refuses to start, with its other faults', async (_, command, keep: Record<string, string>) => {
  const sentence =
    'SEALWRIGHT_SMTP_URL is not set; to keep emails in the data folder instead of sending them, set SEALWRIGHT_MAIL_KEEP=true.'
  const words = [...MISSING, sentence, 'SEALWRIGHT_PORTS is not a known setting.']
  expect(await runTier(command, { SEALWRIGHT_PORTS: '80', ...keep })).toEqual({ code: 1, words })
})

test.concurrent('the service in one process keeps mails unless that is forbidden', async () => {
  const words = ['SEALWRIGHT_MAIL_KEEP=false requires SEALWRIGHT_SMTP_URL.']
  expect(await runTier(['hack/embedded/main.ts'], { SEALWRIGHT_MAIL_KEEP: 'false' })).toEqual({ code: 1, words })
})

test.concurrent.each([
  [[], 'Usage: node workers/main.ts ROLE...   The roles are relay, mail, seal, deliver.'],
  [['seal', 'shred'], 'Unknown role shred. The roles are relay, mail, seal, deliver.'],
])('a worker with the roles %j tells how it is used', async (roles, sentence) => {
  expect(await runTier(['workers/main.ts', ...roles], {})).toEqual({ code: 2, words: [sentence] })
})

test.concurrent.each(['api/main.ts', 'controller/main.ts'])(
  '%s takes no arguments and says so before anything else',
  async (file) => {
    const words = [`Usage: node ${file}   It takes no arguments; unexpected: extra --port=80.`]
    expect(await runTier([file, 'extra', '--port=80'], MISCONFIGURED)).toEqual({ code: 2, words })
  },
)
