// The frame of every process: it runs until it is stopped, and reports an error as one sentence, never as a stack alone.
import { SettingsError } from '#core/platform/config/read-settings.ts'
import { toGrantsError } from '#core/platform/postgres/startup-error.ts'
import type { Stop } from './shutdown-signal.ts'

/** A wrong command line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** For a process that is configured by settings alone. Throws UsageError when its command line has arguments. */
export function refuseArguments(command: string, given: readonly string[]): void {
  if (given.length > 0) throw new UsageError(`Usage: ${command}   It takes no arguments; unexpected: ${given.join(' ')}.`)
}

const LINGER_MS = 500
/** Below the 30 s after which Kubernetes kills: each part has its own, shorter time; whatever still runs after it is abandoned. */
const STOP_WITHIN_MS = 25_000

/** Runs `main` to its end. Exit code 0 after a clean stop, even during the start; 2 for wrong usage; 1 for any error. */
export async function runProcess(stop: Stop, main: (stop: Stop) => Promise<void>): Promise<void> {
  survivePipes()
  void stop.requested.then(() => setTimeout(giveUp, STOP_WITHIN_MS).unref())
  try {
    await main(stop)
  } catch (error) {
    if (error === stop.signal.reason) return
    console.error(sentencesOf(toGrantsError(error)))
    process.exitCode = error instanceof UsageError ? 2 : 1
  } finally {
    // Abandoned work would keep the process alive; nothing else still runs.
    setTimeout(() => process.exit(), LINGER_MS).unref()
  }
}

function giveUp(): void {
  console.error(`Shutdown did not finish within ${STOP_WITHIN_MS / 1000} s; other workers take over the unfinished jobs.`)
  process.exit(1)
}

/** The reader of our output may be gone: writing then must not end the process. */
function survivePipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
}

function sentencesOf(error: unknown): string {
  if (error instanceof SettingsError) return error.errors.join('\n')
  return error instanceof Error && error.message ? error.message : String(error)
}
