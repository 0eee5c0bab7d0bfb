// The name of an uploaded file is shown, mailed and put into headers: it is taken as it is or refused, never repaired.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_FILENAME_BYTES } from '#core/limits.ts'

const CONTROL = /\p{Cc}/u

// Form encoders write these three as escapes and leave every other character, also a percent sign, as it is (WHATWG HTML, 4.10.21.8).
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** The name as its sender knows it. Throws VALIDATION_FAILED when it is missing, too long, or has control characters or bytes that are not UTF-8. */
export function checkFilename(encoded: string | undefined): string {
  const filename = encoded?.replace(/%22|%0D|%0A/g, (escape) => ESCAPES[escape] ?? escape)
  if (!filename) throw refusal('the file name is missing.')
  if (Buffer.byteLength(filename) > MAX_FILENAME_BYTES) throw refusal(`the file name is longer than ${MAX_FILENAME_BYTES} bytes.`)
  if (CONTROL.test(filename) || !filename.isWellFormed() || filename.includes('\u{FFFD}')) {
    throw refusal('the file name contains characters that are not allowed.')
  }
  return filename
}

function refusal(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', { message: `file: ${message}` })
}
