// `sealwright COMMAND`: the operators' command line. Errors go to standard error with exit code 1, wrong usage with 2.
import { toCommandError } from '#core/platform/postgres/startup-error.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { Command, CommanderError } from 'commander'
import { addAudit } from './audit.ts'
import { addBackup } from './backup.ts'
import { addCheckInstallation } from './check-installation.ts'
import { addCredential } from './credential.ts'
import { addEvaluation } from './evaluation.ts'
import { addInstallationKey } from './installation-key.ts'
import { addKey } from './key.ts'
import { addMigrate } from './migrate.ts'
import { addOrganisation } from './organisation.ts'
import { addPerson } from './person.ts'
import { addVerify } from './verify-command.ts'
import { addWork } from './work.ts'

const USAGE_EXIT_CODE = 2
const { version: VERSION } = packageFile

/** They are started by hack/image/main.ts, not here. */
const PROCESSES = `
Processes of the service, which run until SIGTERM and take no arguments:
  api              the API and the pages
  worker           seals documents and makes audit reports
  relay            publishes events, sends emails and webhooks
  controller       runs scheduled jobs and the custom resources

Check before an upgrade in Kubernetes:
  preflight        says why an upgrade to this version would fail; changes nothing`

/** The command line. */
export function buildProgram(): Command {
  const program = new Command('sealwright')
    .description('Operate a Sealwright installation and verify sealed files.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(run sealwright --help for the list of commands)')
    .addHelpText('after', PROCESSES)
  addMigrate(program)
  addOrganisation(program)
  addCredential(program)
  addPerson(program)
  addVerify(program)
  addKey(program)
  addWork(program)
  addAudit(program)
  addBackup(program)
  addInstallationKey(program)
  addCheckInstallation(program)
  addEvaluation(program)
  return program
}

/** Runs one command to its end, never throws, and leaves its exit code with the process. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE
    else {
      const commandError = toCommandError(error)
      process.stderr.write(`${commandError instanceof Error ? commandError.message : String(commandError)}\n`)
      process.exitCode = 1
    }
  }
}
