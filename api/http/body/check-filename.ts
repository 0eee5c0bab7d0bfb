// The name of an uploaded file is shown, emailed and put into headers: without the folders before it, it is accepted unchanged or rejected.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_FILENAME_BYTES } from '#core/limits.ts'

const CONTROL = /\p{Cc}/u

// Form encoders escape these three and leave all other characters unchanged, also a percent sign (WHATWG HTML, 4.10.21.8).
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' }

/** The decoded name, of a path its last part. Throws VALIDATION_FAILED when it is missing, too long, or has control characters or bytes that are not UTF-8. */
export function checkFilename(encoded: string | undefined): string {
  const filename = encoded
    ?.replace(/%22|%0D|%0A/g, (escape) => ESCAPES[escape] ?? escape)
    .split(/[/\\]/)
    .at(-1)
  if (!filename || filename === '.' || filename === '..') throw invalid('the file name is missing.')
  if (Buffer.byteLength(filename) > MAX_FILENAME_BYTES) throw invalid(`the file name is longer than ${MAX_FILENAME_BYTES} bytes.`)
  if (CONTROL.test(filename) || !filename.isWellFormed() || filename.includes('\u{FFFD}')) {
    throw invalid('the file name contains characters that are not allowed.')
  }
  return filename
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', { message: `file: ${message}` })
}
