/** What a command has to say: lines for people, a value for programs. */
export interface Report {
  lines: readonly string[]
  json: object
  /** False ends the command with exit code 1. */
  ok: boolean
}
