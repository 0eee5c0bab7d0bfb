// `sealwright check-installation`: one envelope from upload to verified seal, through the running service.
import type { Command } from 'commander'
import { Email } from '../schemas/text.ts'
import { readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

interface Options {
  api: string
  email?: string
  receiver?: string
  receiverCertificate?: string
  json?: boolean
}

export function addCheckInstallation(program: Command): void {
  program
    .command('check-installation')
    .description('send, sign, seal and verify one envelope in an organisation of its own; needs the settings of the API')
    .requiredOption('--api <url>', 'address under which this machine reaches the API')
    .option('--email <address>', 'address of the signer, who gets one email; by default the sender of the service', parsed(Email))
    .option(
      '--receiver <url>',
      'also receive a webhook: https address under which the service reaches this machine, with its port',
    )
    .option('--receiver-certificate <file>', 'PEM file with key and certificate of that address')
    .option('--json', 'print one JSON value')
    .action(check)
}

async function check({ json, receiverCertificate, ...options }: Options): Promise<void> {
  // Loaded on demand: it needs most of the service.
  const { checkInstallation } = await import('./check/check-installation.ts')
  const steps: string[] = []
  const report = (step: string): void => {
    steps.push(step)
    if (!json) print(false, undefined, [step])
  }
  const certificate = receiverCertificate && resolveArgument(receiverCertificate, readEnvironment())
  await checkInstallation({ ...options, ...(certificate && { receiverCertificate: certificate }) }, report)
  if (json) print(true, { steps }, [])
}
