// The commands of the image that have a main file of their own. Every other command is one of the command line.

export interface Process {
  /** The main file of a tier. */
  file: string
  arguments: readonly string[]
}

/** Roles that only wait share a process; seals have their own, which alone needs the signing key and processors. */
export const PROCESSES: Readonly<Record<string, Process>> = {
  api: { file: 'api/main.ts', arguments: [] },
  worker: { file: 'workers/main.ts', arguments: ['seal'] },
  relay: { file: 'workers/main.ts', arguments: ['relay', 'mail', 'deliver'] },
  controller: { file: 'controller/main.ts', arguments: [] },
}

/** Process of the tier that knows the custom resources, and so not on the command line, which belongs to the API. */
const PREFLIGHT: Process = { file: 'controller/preflight/main.ts', arguments: [] }

const COMMANDS: Readonly<Record<string, Process>> = { ...PROCESSES, preflight: PREFLIGHT }

const COMMAND_LINE = 'api/cli/main.ts'

/** What Node runs for this command line. Throws a sentence when such a command is given arguments: settings alone configure it. */
export function readCommandLine(given: readonly string[]): Process {
  const [name = '', ...rest] = given
  const process = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!process) return { file: COMMAND_LINE, arguments: given }
  if (rest.length > 0) throw new Error(`Usage: sealwright ${name}   It takes no arguments; unexpected: ${rest.join(' ')}.`)
  return process
}
