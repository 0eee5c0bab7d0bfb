// OpenTelemetry's own variables, as far as they have an effect here. Its specification lets a library warn of a wrong value and go on without it: traces would
// then be missing, go elsewhere or all be kept, and the line would name a part of the library. So these are refused as any setting is.
//
// Not so OTEL_PROPAGATORS and what is of metrics and logs: a cluster sets them for all its programs, and they change nothing here. Nor OTEL_NODE_*, which no
// specification knows: the library itself names them when it warns.
import type { z } from 'zod'
import { certificates } from './certificates.ts'
import type { Environment } from './environment.ts'
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
} from './trace-forms.ts'

/** Each of them asks for traces; with a file the library would go by nothing else. */
const ASKING = ['OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_CONFIG_FILE']

/** The most that a timer takes. */
const milliseconds = upTo(2 ** 31 - 1)
const flag = oneOfInAnyCase(['true', 'false'])
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]

/** What each export has: for every signal, and after `TRACES_` for traces alone. */
const EXPORT = {
  PROTOCOL: oneOf(['grpc', 'http/protobuf', 'http/json']),
  COMPRESSION: oneOf(['gzip', 'none']),
  TIMEOUT: milliseconds,
  HEADERS: headers,
  INSECURE: flag,
  CERTIFICATE: certificates,
  CLIENT_CERTIFICATE: certificates,
  CLIENT_KEY: privateKey,
}

const COUNT_LIMITS = ['ATTRIBUTE', 'SPAN_ATTRIBUTE', 'SPAN_EVENT', 'SPAN_LINK', 'EVENT_ATTRIBUTE', 'LINK_ATTRIBUTE']

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  OTEL_SDK_DISABLED: flag,
  OTEL_CONFIG_FILE: notRead,
  OTEL_TRACES_EXPORTER: exporters,
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS),
  OTEL_TRACES_SAMPLER_ARG: ratio,
  OTEL_RESOURCE_ATTRIBUTES: resourceAttributes,
  OTEL_LOG_LEVEL: oneOfInAnyCase(['all', 'verbose', 'debug', 'info', 'warn', 'error', 'none']),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds,
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds,
  OTEL_BSP_MAX_QUEUE_SIZE: positive,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive,
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: whole,
  OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: whole,
  ...Object.fromEntries(COUNT_LIMITS.map((what) => [`OTEL_${what}_COUNT_LIMIT`, whole])),
  ...Object.fromEntries(
    Object.entries(EXPORT).flatMap(([what, shape]) => [
      [`OTEL_EXPORTER_OTLP_${what}`, shape],
      [`OTEL_EXPORTER_OTLP_TRACES_${what}`, shape],
    ]),
  ),
}

/** True when the environment asks for traces. */
export function wantsTraces(environment: Environment): boolean {
  const isOff =
    environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true' || environment['OTEL_TRACES_EXPORTER']?.trim() === 'none'
  return !isOff && ASKING.some((name) => given(environment, name) !== undefined)
}

/** Everything that is wrong with the variables of traces, one sentence each, without their values; nothing when no traces are asked for. */
export function traceFaults(environment: Environment): string[] {
  if (!wantsTraces(environment)) return []
  const faults = Object.entries({ ...SHAPES, ...endpoints(environment) }).flatMap(([name, shape]) => {
    const text = given(environment, name)
    const issues = text === undefined ? [] : (shape.safeParse(text).error?.issues ?? [])
    return issues.map(({ message }) => `${name} ${message}.`)
  })
  const [certificate, key] = [forTraces(environment, 'CLIENT_CERTIFICATE'), forTraces(environment, 'CLIENT_KEY')]
  const isWhole = (certificate === undefined) === (key === undefined)
  return isWhole
    ? faults
    : [...faults, 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY mean nothing without each other.']
}

/** What an endpoint may be goes by the protocol. */
function endpoints(environment: Environment): Record<string, z.ZodType> {
  const isGrpc = forTraces(environment, 'PROTOCOL') === 'grpc'
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: isGrpc ? collectorTarget : collectorBaseUrl,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: isGrpc ? collectorTarget : collectorUrl,
  }
}

/** The variable of traces, or else that of every signal. */
function forTraces(environment: Environment, what: string): string | undefined {
  return given(environment, `OTEL_EXPORTER_OTLP_TRACES_${what}`) ?? given(environment, `OTEL_EXPORTER_OTLP_${what}`)
}

/** OpenTelemetry takes a blank one for none; of others the library sees every space. */
function given(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() ? environment[name] : undefined
}
