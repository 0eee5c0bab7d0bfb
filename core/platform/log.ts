// One logger, JSON lines, secrets masked by name as a last net; nobody logs them on purpose. The net is our own: pino's goes through a path for each
// name and level, which costs more than all the rest of a line.
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
/** `ECONNREFUSED`, `ERR_INVALID_URL`, SQLSTATEs such as `57P01`: too short, or without digits and small letters, for a code that lets anybody in. */
const NAME_OF_ERROR = /^(?:[A-Z][A-Z_]{2,40}|[0-9A-Z]{5})$/
const WAITING_BYTES = 1_048_576

/** What would be lost if the process ended within this turn; it can also end by an error that nobody caught. */
const unwritten = new Set<() => void>()
process.once('exit', () => unwritten.forEach((flush) => flush()))

/** Opens the process's log: standard error, or the end of `file`. */
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

/** An error's fields, masked like others; what a system names its errors by is no secret. */
function toFields(error: Error): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...stdSerializers.err(error) }
  const { code } = fields
  return { ...masked(fields, same), ...(typeof code === 'string' && NAME_OF_ERROR.test(code) && { code }) }
}

/** A disk that is full ends no service: lines wait for room, and beyond the bytes that may wait new ones are dropped. */
function openDestination(dest: string | number): DestinationStream {
  const stream = destination({ dest, sync: true, mkdir: false, maxLength: WAITING_BYTES })
  let told = false
  stream.on('error', (error: Error) => {
    if (!told) process.emitWarning(`The log cannot be written: ${error.message}`)
    told = true
  })
  return stream
}

/** Lines of one turn of the event loop are written together when it ends: a write for each would be a tenth of a read's processor time. */
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

/** The fields with secrets masked and the others as `inner` shows them; themselves where that changes nothing. */
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
