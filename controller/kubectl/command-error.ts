/** A command cannot do what was asked. The message says why and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The command line is not complete. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
