// OpenTelemetry's variables: what its library would leave out, or replace by a default, is told with all other faults, as long as traces are asked for.
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
  'must be comma-separated name=value pairs, with commas, semicolons and percent signs in values percent-encoded'
const ATTRIBUTES_FAULT =
  'must be comma-separated key=value pairs of at most 255 characters each, with commas, equals signs and percent signs percent-encoded'

/** Each value of one variable with the sentence that is told of it. */
function told(name: string, values: readonly string[], sentence: string, environment: Environment = COLLECTOR) {
  return values.map((value): [string, Environment, string] => [
    `${name}=${value}`,
    { ...environment, [name]: value },
    `${name} ${sentence}.`,
  ])
}

test.each([
  ...told('OTEL_SDK_DISABLED', ['yes', '1'], 'must be one of true, false'),
  ...told('OTEL_CONFIG_FILE', ['otel.yaml'], 'is not supported; set the individual OTEL_* variables instead'),
  ...told(
    'OTEL_TRACES_EXPORTER',
    ['zipkin', 'OTLP', 'otlp,none', 'otlp;console'],
    'must be otlp, console, both separated by a comma, or none',
  ),
  ...told('OTEL_EXPORTER_OTLP_ENDPOINT', ['nonsense', 'collector:4318', 'ftp://collector', 'http://a b', 'http://a '], URL_FAULT),
  ...told('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['nonsense', '//collector'], URL_FAULT),
  ...told(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ['http://collector?x', 'http://collector#x'],
    'must be a URL without query or fragment, because a path is appended to it',
  ),
  ...told('OTEL_EXPORTER_OTLP_ENDPOINT', ['ftp://collector', 'collector:port'], TARGET_FAULT, GRPC),
  ...['OTEL_EXPORTER_OTLP', 'OTEL_EXPORTER_OTLP_TRACES'].flatMap((name) => [
    ...told(`${name}_PROTOCOL`, ['xml', 'GRPC', 'http'], 'must be one of grpc, http/protobuf, http/json'),
    ...told(`${name}_COMPRESSION`, ['zip'], 'must be one of gzip, none'),
    ...told(`${name}_TIMEOUT`, ['-1', '10s', '1.5', 'Infinity'], WHOLE_FAULT),
    ...told(`${name}_TIMEOUT`, ['0'], 'must be greater than 0'),
    ...told(`${name}_TIMEOUT`, ['2147483648'], 'must be at most 2147483647'),
    ...told(
      `${name}_HEADERS`,
      ['malformed', '=hush', 'x=', 'a=b,hush', 'x=hush;y', 'x=hush%', 'a b=hush', 'x=hush%0A', 'x=h%C3%BCsh'],
      HEADERS_FAULT,
    ),
    ...told(`${name}_INSECURE`, ['yes'], 'must be one of true, false'),
    ...told(`${name}_CERTIFICATE`, ['package.json'], 'refers to a file without a PEM certificate'),
  ]),
  ...told(
    'OTEL_TRACES_SAMPLER',
    ['foo', 'Always_On', 'jaeger_remote', 'always_on '],
    'must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio',
  ),
  ...['traceidratio', 'parentbased_traceidratio'].flatMap((sampler) =>
    told('OTEL_TRACES_SAMPLER_ARG', ['2', '-0.1', 'half', '10%'], 'must be a number from 0 to 1', {
      ...COLLECTOR,
      OTEL_TRACES_SAMPLER: sampler,
    }),
  ),
  ...told('OTEL_RESOURCE_ATTRIBUTES', ['malformed', '=x', 'a=b=c', 'a=b,c', 'a=%', `a=${'x'.repeat(256)}`], ATTRIBUTES_FAULT),
  ...told('OTEL_BSP_EXPORT_TIMEOUT', ['0'], 'must be greater than 0'),
  ...['SCHEDULE_DELAY', 'EXPORT_TIMEOUT'].flatMap((what) => [
    ...told(`OTEL_BSP_${what}`, ['abc', '-1'], WHOLE_FAULT),
    ...told(`OTEL_BSP_${what}`, ['2147483648'], 'must be at most 2147483647'),
  ]),
  ...['MAX_QUEUE_SIZE', 'MAX_EXPORT_BATCH_SIZE'].flatMap((what) => told(`OTEL_BSP_${what}`, ['0'], 'must be greater than 0')),
  ...['ATTRIBUTE', 'SPAN_ATTRIBUTE', 'SPAN_EVENT', 'SPAN_LINK', 'EVENT_ATTRIBUTE', 'LINK_ATTRIBUTE'].flatMap((what) =>
    told(`OTEL_${what}_COUNT_LIMIT`, ['-1'], WHOLE_FAULT),
  ),
])('%s is refused', (_, environment, fault) => {
  expect(errorsOf(environment)).toEqual([fault])
  expect(fault).not.toContain('hush')
})

describe('files of certificates', () => {
  test.each(['CERTIFICATE', 'CLIENT_CERTIFICATE', 'CLIENT_KEY'])('that are not there are told of %s', (what) => {
    const faults = errorsOf({ ...COLLECTOR, [`OTEL_EXPORTER_OTLP_${what}`]: '/absent.pem' })
    expect(faults[0]).toMatch(new RegExp(`^OTEL_EXPORTER_OTLP_${what} .*cannot be read: ENOENT`))
  })

  test('and of keys are told when they hold none', () => {
    const faults = errorsOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: 'package.json' })
    expect(faults[0]).toBe('OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY refers to a file without an unencrypted PEM private key.')
  })

  test('of one that is alone are told', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = secretFile(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    expect(errorsOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_CLIENT_KEY: key })).toEqual([
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY must be set together.',
    ])
  })
})

test('all of it is told at once, with the faults of our own settings', () => {
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
  // What has no effect here is nobody's fault.
  { ...COLLECTOR, OTEL_PROPAGATORS: 'xray', OTEL_METRICS_EXPORTER: 'foo', OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: 'x', OTEL_X: 'y' },
  { ...COLLECTOR, OTEL_LOG_LEVEL: 'trace', OTEL_BSP_SCHEDULE_DELAY: '0' },
  // Nor what nobody reads: another variable stands over it, or nothing asks for it.
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
  // Blanks that the library does not heed.
  { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc ', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_BSP_SCHEDULE_DELAY: ' 5000' },
  // Blank is as good as unset.
  { ...COLLECTOR, OTEL_TRACES_SAMPLER: ' ', OTEL_EXPORTER_OTLP_TIMEOUT: '' },
])('%j is taken', (environment) => {
  expect(errorsOf(environment)).toEqual([])
  expect(wantsTraces(environment)).toBe(true)
})

test.each<Environment>([
  {},
  { OTEL_SDK_DISABLED: ' TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
  { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
  { OTEL_TRACES_SAMPLER: 'foo', OTEL_EXPORTER_OTLP_PROTOCOL: 'xml' },
])('%j asks for no traces, and nothing is wrong with it', (environment) => {
  expect(errorsOf(environment)).toEqual([])
  expect(wantsTraces(environment)).toBe(false)
})
