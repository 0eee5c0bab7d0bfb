// Runs one command of the plugin. Errors go to standard error with exit code 1, wrong usage with 2.
import type { Environment } from '#core/platform/config/settings.ts'
import { CommanderError } from 'commander'
import { UsageError } from './command-error.ts'
import { describeError } from './describe-error.ts'
import { buildProgram } from './program.ts'

const USAGE_EXIT_CODE = 2

/** Runs it to its end, never throws, and leaves its exit code with the process. */
export async function runKubectlCommand(args: readonly string[], env: Environment): Promise<void> {
  try {
    await buildProgram(env).parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE
    else {
      process.stderr.write(`${describeError(error)}\n`)
      process.exitCode = error instanceof UsageError ? USAGE_EXIT_CODE : 1
    }
  }
}
