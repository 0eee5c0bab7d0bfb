// OpenTelemetry's own variables, as far as they have an effect here. Its specification lets a library warn of a wrong value and continue without it:
// traces would be missing, go elsewhere or all be kept, and the log line would name a library module. So wrong values are rejected like those of any
// setting.
//
// Not checked: variables that the library would not read, for example where another variable overrides them, because a cluster sets variables for all
// its programs; OTEL_PROPAGATORS, OTEL_LOG_LEVEL and the variables of metrics and logs, which change no trace here; and OTEL_NODE_*, which the
// library names itself when it warns.
import type { z } from 'zod'
import { certificates } from './certificates.ts'
import type { Environment } from './settings.ts'
import { positive, upTo, whole } from './numbers.ts'
import {
  collectorBaseUrl,
  collectorTarget,
  collectorUrl,
  exporters,
  headers,
  notRead,
  oneOf,
  oneOfInAnyCase,
  privateKey,
  ratio,
  resourceAttributes,
  trimmed,
} from './trace-forms.ts'

/** Each of them enables traces; with a configuration file the library would use only the file. */
const ASKING = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_CONFIG_FILE']

/** The longest timer. */
const MOST_MILLISECONDS = 2 ** 31 - 1
const milliseconds = trimmed(upTo(MOST_MILLISECONDS))
const millisecondsOrNone = trimmed(whole.refine((value) => value <= MOST_MILLISECONDS, `must be at most ${MOST_MILLISECONDS}`))
const flag = oneOfInAnyCase(['true', 'false'])
const BY_RATIO = ['traceidratio', 'parentbased_traceidratio']
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]

const COUNT_LIMITS = ['ATTRIBUTE', 'SPAN_ATTRIBUTE', 'SPAN_EVENT', 'SPAN_LINK', 'EVENT_ATTRIBUTE', 'LINK_ATTRIBUTE']

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  OTEL_SDK_DISABLED: flag,
  OTEL_CONFIG_FILE: notRead,
  OTEL_TRACES_EXPORTER: exporters,
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS),
  OTEL_RESOURCE_ATTRIBUTES: resourceAttributes,
  OTEL_BSP_SCHEDULE_DELAY: millisecondsOrNone,
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds,
  OTEL_BSP_MAX_QUEUE_SIZE: trimmed(positive),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: trimmed(positive),
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: trimmed(whole),
  OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: trimmed(whole),
  ...Object.fromEntries(COUNT_LIMITS.map((what) => [`OTEL_${what}_COUNT_LIMIT`, trimmed(whole)])),
}

/** OTLP export settings, for every signal and with the prefix `TRACES_` for traces alone: both are read. */
const EXPORT = {
  COMPRESSION: trimmed(oneOf(['gzip', 'none'])),
  TIMEOUT: milliseconds,
  HEADERS: headers,
  INSECURE: flag,
}

/** Variables of the exporter; the general variable is read where the one for traces is missing. */
const EXPORT_OR_GENERAL = {
  PROTOCOL: trimmed(oneOf(['grpc', 'http/protobuf', 'http/json'])),
  CERTIFICATE: certificates,
  CLIENT_CERTIFICATE: certificates,
  CLIENT_KEY: privateKey,
}

/** True when the environment enables traces. */
export function wantsTraces(environment: Environment): boolean {
  const isOff =
    environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true' || environment['OTEL_TRACES_EXPORTER']?.trim() === 'none'
  return !isOff && ASKING.some((name) => given(environment, name) !== undefined)
}

/** All errors in the trace variables, one sentence each, without their values; none when traces are off. */
export function traceErrors(environment: Environment): string[] {
  if (!wantsTraces(environment)) return []
  const errors = Object.entries(shapesOf(environment)).flatMap(([name, shape]) => {
    const text = given(environment, name)
    const issues = text === undefined ? [] : (shape.safeParse(text).error?.issues ?? [])
    return issues.map(({ message }) => `${name} ${message}.`)
  })
  const [certificate, key] = [forTraces(environment, 'CLIENT_CERTIFICATE'), forTraces(environment, 'CLIENT_KEY')]
  const isWhole = (certificate === undefined) === (key === undefined) || !exportsByOtlp(environment)
  return isWhole
    ? errors
    : [...errors, 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY must be set together.']
}

/** The variables that the library will read. */
function shapesOf(environment: Environment): Record<string, z.ZodType> {
  const samplesByRatio = BY_RATIO.includes(given(environment, 'OTEL_TRACES_SAMPLER') ?? '')
  return {
    ...SHAPES,
    ...(samplesByRatio && { OTEL_TRACES_SAMPLER_ARG: ratio }),
    ...(exportsByOtlp(environment) && exportShapes(environment)),
  }
}

function exportShapes(environment: Environment): Record<string, z.ZodType> {
  const isGrpc = forTraces(environment, 'PROTOCOL')?.trim() === 'grpc'
  const both = Object.entries(EXPORT).flatMap(([what, shape]) => [
    [`OTEL_EXPORTER_OTLP_${what}`, shape],
    [`OTEL_EXPORTER_OTLP_TRACES_${what}`, shape],
  ])
  const either = Object.entries(EXPORT_OR_GENERAL).map(([what, shape]) => [nameForTraces(environment, what), shape])
  const endpoint = nameForTraces(environment, 'ENDPOINT')
  const ofHttp = endpoint === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? collectorBaseUrl : collectorUrl
  return Object.fromEntries([...both, ...either, [endpoint, isGrpc ? collectorTarget : ofHttp]])
}

/** The library's default. */
function exportsByOtlp(environment: Environment): boolean {
  return (given(environment, 'OTEL_TRACES_EXPORTER') ?? 'otlp').includes('otlp')
}

function forTraces(environment: Environment, what: string): string | undefined {
  return given(environment, nameForTraces(environment, what))
}

/** The name of the variable for traces, or else of the one for every signal. */
function nameForTraces(environment: Environment, what: string): string {
  const own = `OTEL_EXPORTER_OTLP_TRACES_${what}`
  return given(environment, own) === undefined ? `OTEL_EXPORTER_OTLP_${what}` : own
}

/** OpenTelemetry treats a blank value as unset; in other values the library keeps every space. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() ? environment[name] : undefined
}
