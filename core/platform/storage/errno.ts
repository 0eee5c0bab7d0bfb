// The operating system's name for a failure (ENOSPC, EACCES, ECONNREFUSED ...), read off whatever was thrown.

/** The `code` of a system error, or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
