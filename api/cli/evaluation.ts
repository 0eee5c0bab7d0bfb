// `sealwright evaluation prepare | first-run | mails`: what the evaluation profile of the Helm chart needs.
import path from 'node:path'
import { durationSeconds } from '#core/platform/config/duration.ts'
import { openFileMailbox } from '#core/mail/file-mailbox.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

const WAIT_SECONDS = 300

export function addEvaluation(program: Command): void {
  const evaluation = program.command('evaluation').description('set up a trial in Kubernetes; used by the Helm chart')
  evaluation
    .command('prepare')
    .description('create the Secret of the servers of a trial, and their bucket')
    .requiredOption('--secret <name>', 'name of the Secret')
    .requiredOption('--database-host <name>', 'host name of the Postgres')
    .requiredOption('--object-store <url>', 'URL of the S3 server')
    .requiredOption('--bucket <name>', 'bucket to create')
    .requiredOption('--receiver-host <name>', 'host name of the receiver of webhooks that the test runs')
    .option('--wait <duration>', 'wait that long for the S3 server', parsed(durationSeconds), WAIT_SECONDS)
    // Loaded on demand, because it needs the libraries for certificates and S3.
    .action(async (options) => (await import('./evaluation/prepare.ts')).prepareEvaluation(options))
  evaluation
    .command('first-run')
    .description('create an organisation to try, and a Secret with its credential')
    .requiredOption('--secret <name>', 'name of the Secret to create')
    .requiredOption('--evaluation-secret <name>', 'name of the Secret of prepare')
    .action(async (options) => (await import('./evaluation/first-run.ts')).writeFirstRun(options))
  evaluation
    .command('mails')
    .description('print the emails that this pod has kept instead of sending them, newest last')
    .option('--json', 'print one JSON value')
    .action(printMails)
}

async function printMails({ json }: { json?: boolean }): Promise<void> {
  const mailbox = await openFileMailbox(path.resolve(readConfig().dataDir, 'mails'))
  const mails = (await mailbox.list()).toReversed()
  const lines = mails.flatMap(({ to, subject, text, sentAt }) => [
    `${sentAt}  ${toVisibleLine(to)}  ${toVisibleLine(subject)}`,
    ...text.split('\n').map((line) => `  ${toVisibleLine(line)}`),
  ])
  print(json, mails, mails.length > 0 ? lines : ['no emails'])
}
