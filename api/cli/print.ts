// The output of a command: a single JSON value with --json, otherwise lines of text.

/** Writes to standard output. */
export function print(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
}
