// OpenTelemetry's variables: a value that its library would drop, or replace by a default, is reported with all other errors while traces are enabled.
import { generateKeyPairSync } from 'node:crypto'
import type { Environment } from '#core/platform/config/settings.ts'
import { wantsTraces } from '#core/platform/config/trace-settings.ts'
import { describe, expect, test } from 'vitest'
import { secretFile } from '../../../../support/servers/secret-file.ts'
import { errorsOf } from '../../../../support/judges/settings-errors.ts'

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.test:4318' }
const GRPC = { ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
const URL_FAULT = 'must be an http or https URL'
const TARGET_FAULT = 'must be an http or https URL, or host:port'
const WHOLE_FAULT = 'must be a whole number'
const HEADERS_FAULT =
  'must be name=value, several with commas, and commas, semicolons and percent signs of a value percent-encoded'
const ATTRIBUTES_FAULT =
  'must be key=value, several with commas, of 255 characters at most, and commas, equals and percent signs within percent-encoded'

/** Each value of one variable with its error. */
function withError(name: string, values: readonly string[], sentence: string, environment: Environment = COLLECTOR) {
  return values.map((value): [string, Environment, string] => [
    `${name}=${value}`,
    { ...environment, [name]: value },
    `${name} ${sentence}.`,
  ])
}

test.each([
  ...withError('OTEL_SDK_DISABLED', ['yes', '1'], 'must be one of true, false'),
  ...withError('OTEL_CONFIG_FILE', ['otel.yaml'], 'is not read here; set the variables that its file stands for'),
  ...withError(
    'OTEL_TRACES_EXPORTER',
    ['zipkin', 'OTLP', 'otlp,none', 'otlp;console'],
    'must be otlp or console, both with a comma, or none alone',
  ),
  ...withError(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ['nonsense', 'collector:4318', 'ftp://collector', 'http://a b', 'http://a '],
    URL_FAULT,
  ),
  ...withError('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['nonsense', '//collector'], URL_FAULT),
  ...withError(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ['http://collector?x', 'http://collector#x'],
    'must be a URL without query and fragment: a path is appended to it',
  ),
  ...withError('OTEL_EXPORTER_OTLP_ENDPOINT', ['ftp://collector', 'collector:port'], TARGET_FAULT, GRPC),
  ...['OTEL_EXPORTER_OTLP', 'OTEL_EXPORTER_OTLP_TRACES'].flatMap((name) => [
    ...withError(`${name}_PROTOCOL`, ['xml', 'GRPC', 'http'], 'must be one of grpc, http/protobuf, http/json'),
    ...withError(`${name}_COMPRESSION`, ['zip'], 'must be one of gzip, none'),
    ...withError(`${name}_TIMEOUT`, ['-1', '10s', '1.5', 'Infinity'], WHOLE_FAULT),
    ...withError(`${name}_TIMEOUT`, ['0'], 'must be more than 0'),
    ...withError(`${name}_TIMEOUT`, ['2147483648'], 'must be at most 2147483647'),
    ...withError(
      `${name}_HEADERS`,
      ['malformed', '=hush', 'x=', 'a=b,hush', 'x=hush;y', 'x=hush%', 'a b=hush', 'x=hush%0A', 'x=h%C3%BCsh'],
      HEADERS_FAULT,
    ),
    ...withError(`${name}_INSECURE`, ['yes'], 'must be one of true, false'),
    ...withError(`${name}_CERTIFICATE`, ['package.json'], 'names a file without a PEM certificate'),
  ]),
  ...withError(
    'OTEL_TRACES_SAMPLER',
    ['foo', 'Always_On', 'jaeger_remote', 'always_on '],
    'must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
  ),
  ...['traceidratio', 'parentbased_traceidratio'].flatMap((sampler) =>
    withError('OTEL_TRACES_SAMPLER_ARG', ['2', '-0.1', 'half', '10%'], 'must be a number from 0 to 1', {
      ...COLLECTOR,
      OTEL_TRACES_SAMPLER: sampler,
    }),
  ),
  ...withError(
    'OTEL_RESOURCE_ATTRIBUTES',
    ['malformed', '=x', 'a=b=c', 'a=b,c', 'a=%', `a=${'x'.repeat(256)}`],
    ATTRIBUTES_FAULT,
  ),
  ...withError('OTEL_BSP_EXPORT_TIMEOUT', ['0'], 'must be more than 0'),
  ...['SCHEDULE_DELAY', 'EXPORT_TIMEOUT'].flatMap((what) => [
    ...withError(`OTEL_BSP_${what}`, ['abc', '-1'], WHOLE_FAULT),
    ...withError(`OTEL_BSP_${what}`, ['2147483648'], 'must be at most 2147483647'),
  ]),
  ...['MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].flatMap((what) => withError(`OTEL_BSP_${what}`, ['0'], 'must be more than 0')),
  ...['ATTRIBUTE', 'SPAN_ATTRIBUTE', 'SPAN_EVENT', 'SPAN_LINK', 'EVENT_ATTRIBUTE', 'LINK_ATTRIBUTE'].flatMap((what) =>
    withError(`OTEL_${what}_COUNT_LIMIT`, ['-1'], WHOLE_FAULT),
  ),
])('%s is refused', (_, environment, expected) => {
  expect(errorsOf(environment)).toEqual([expected])
  expect(expected).not.toContain('hush')
})

describe('files of certificates', () => {
  test.each(['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'])('that are missing are reported for %s', (what) => {
    const errors = errorsOf({ ...COLLECTOR, [`OTEL_EXPORTER_OTLP_${what}`]: '/absent.pem' })
    expect(errors[0]).toMatch(new RegExp(`^OTEL_EXPORTER_OTLP_${what} .*cannot be read: ENOENT`))
  })

  test('and of keys are reported when they contain none', () => {
    const errors = errorsOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: 'package.json' })
    expect(errors[0]).toBe('OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY names a file without a PEM private key that needs no password.')
  })

  test('are reported when one is set alone', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = secretFile(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    expect(errorsOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_CLIENT_KEY: key })).toEqual([
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY mean nothing without each other.',
    ])
  })
})

test('all errors are reported at once, with those of our own settings', () => {
  expect(errorsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense', OTEL_BSP_EXPORT_TIMEOUT: 'x', SEALWRIGHT_PORT: 'x' })).toEqual([
    'SEALWRIGHT_PORT must be a whole number.',
    'OTEL_BSP_EXPORT_TIMEOUT must be a whole number.',
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL.',
  ])
})

test.each<Environment>([
  { ...GRPC, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' },
  { ...GRPC, OTEL_EXPORTER_OTLP_ENDPOINT: 'unix:///run/collector.sock' },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example.test/x/v1/traces?tenant=1' },
  // Values without effect here are not checked.
  { ...COLLECTOR, OTEL_PROPAGATORS: 'xray', OTEL_METRICS_EXPORTER: 'foo', OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: 'x', OTEL_X: 'y' },
  { ...COLLECTOR, OTEL_LOG_LEVEL: 'trace', OTEL_BSP_SCHEDULE_DELAY: '0' },
  // Nor are values that are not read: another variable overrides them, or traces are off.
  {
    ...GRPC,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example.test:4318/v1/traces',
  },
  { ...COLLECTOR, OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://x' },
  { ...COLLECTOR, OTEL_TRACES_SAMPLER_ARG: 'x' },
  {
    OTEL_TRACES_EXPORTER: 'console',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'xml',
    OTEL_EXPORTER_OTLP_CLIENT_KEY: '/absent.pem',
  },
  // Blanks that the library ignores.
  { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc ', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_BSP_SCHEDULE_DELAY: ' 5000' },
  // Blank counts as unset.
  { ...COLLECTOR, OTEL_TRACES_SAMPLER: ' ', OTEL_EXPORTER_OTLP_TIMEOUT: '' },
])('%j is accepted', (environment) => {
  expect(errorsOf(environment)).toEqual([])
  expect(wantsTraces(environment)).toBe(true)
})

test.each<Environment>([
  {},
  { OTEL_SDK_DISABLED: ' TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
  { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
  { OTEL_TRACES_SAMPLER: 'foo', OTEL_EXPORTER_OTLP_PROTOCOL: 'xml' },
])('%j disables traces and is valid', (environment) => {
  expect(errorsOf(environment)).toEqual([])
  expect(wantsTraces(environment)).toBe(false)
})
