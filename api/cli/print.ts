// What commands write: one JSON value and nothing else with --json, otherwise lines for a person.

/** Standard output of a command. */
export function print(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
}
