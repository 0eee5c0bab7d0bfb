// One logger, JSON lines, secrets masked by name as a last net; nobody logs them on purpose.
import { type Logger as PinoLogger, destination, pino } from 'pino'
import type { Settings } from '#core/config/settings.ts'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>

const SECRET_FIELDS = ['token', 'secret', 'password', 'code', 'otpCode', 'signatureImage', 'authorization', 'url', 'clientSecret']

/** Opens the process's log: standard error, or the end of `file`. */
export function openLog(level: Settings['logLevel'], file?: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: '***' },
    },
    destination({ dest: file ?? 2, sync: true, mkdir: false }),
  )
}
