// One logger, JSON lines. Secrets are masked by field name as a last resort; no code logs them on purpose. We mask ourselves because pino resolves a
// path per name and level, which costs more than the rest of a line.
import { type DestinationStream, type Logger as PinoLogger, destination, pino, stdSerializers } from 'pino'
import type { Settings } from '#core/platform/config/settings.ts'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>

const SECRET_FIELDS = new Set([
  'token',
  'secret',
  'password',
  'code',
  'otpCode',
  'signatureImage',
  'authorization',
  'url',
  'clientSecret',
])
const MASK = '***'
/** `ECONNREFUSED`, `ERR_INVALID_URL`, SQLSTATEs such as `57P01`: too short, or without digits and lower case, to be an access code. */
const NAME_OF_ERROR = /^(?:[A-Z][A-Z_]{2,40}|[0-9A-Z]{5})$/
const WAITING_BYTES = 1_048_576

/** Lines that would be lost if the process ended within this turn, for example by an uncaught error. */
const unwritten = new Set<() => void>()
process.once('exit', () => unwritten.forEach((flush) => flush()))

/** Opens the process log: standard error, or appends to `file`. */
export function openLog(level: Settings['logLevel'], file?: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => masked(fields, (value) => (isPlain(value) ? masked(value, same) : value)) },
      serializers: { err: toFields },
    },
    inTurns(openDestination(file ?? 2)),
  )
}

/** An error's fields, masked like others; error codes are not secrets. */
function toFields(error: Error): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...stdSerializers.err(error) }
  const { code } = fields
  return { ...masked(fields, same), ...(typeof code === 'string' && NAME_OF_ERROR.test(code) && { code }) }
}

/** A full disk must not end the service: lines wait for room, and new ones are dropped beyond the buffer limit. */
function openDestination(dest: string | number): DestinationStream {
  const stream = destination({ dest, sync: true, mkdir: false, maxLength: WAITING_BYTES })
  let isReported = false
  stream.on('error', (error: Error) => {
    if (!isReported) process.emitWarning(`The log cannot be written: ${error.message}`)
    isReported = true
  })
  return stream
}

/** Lines of one turn of the event loop are written together at its end: one write per line would cost a tenth of a read's CPU time. */
function inTurns(file: DestinationStream): DestinationStream {
  let lines = ''
  const flush = () => {
    unwritten.delete(flush)
    file.write(lines)
    lines = ''
  }
  return {
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
      unwritten.add(flush)
    },
  }
}

/** The fields with secrets masked and the others passed through `inner`; the same object when nothing changes. */
function masked(fields: Record<string, unknown>, inner: (value: unknown) => unknown): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    const shown = SECRET_FIELDS.has(name) ? MASK : inner(value)
    if (shown !== value) (copy ??= { ...fields })[name] = shown
  }
  return copy ?? fields
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && !Array.isArray(value)
}

function same(value: unknown): unknown {
  return value
}
