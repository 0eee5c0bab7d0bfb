// The operating system's name of an error (ENOSPC, EACCES, ECONNREFUSED ...), read from any thrown value.

/** The `code` of a system error, or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
