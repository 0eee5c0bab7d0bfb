// `sealwright verify FILE.pdf`
import type { Command } from 'commander'
import type { DocumentVerdict } from '#core/pades/verify-document.ts'
import { readEnvironment } from '../config.ts'
import { embeddedRoot, resolveArgument } from './called-in.ts'
import { print } from './print.ts'
import { describeVerdict, verifyFile } from './verify.ts'

interface VerifyOptions {
  trust?: string
  json?: boolean
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('verify a sealed PDF offline')
    .argument('<file>', 'the sealed PDF')
    .option(
      '--trust <pem>',
      'PEM file with trusted certificates: a root or the seal certificate (default: the root of npm start on this machine)',
    )
    .option('--json', 'print one JSON value')
    .action(verify)
}

const EXIT_VALID = 0
const EXIT_NOT_VALID = 1
/** Intact, but by whom was not checked. */
const EXIT_NOT_CHECKED = 3
/** Valid, but something that is permitted follows what was sealed. */
const EXIT_VALID_IN_PART = 4

async function verify(file: string, { trust, json }: VerifyOptions): Promise<void> {
  const environment = readEnvironment()
  const anchors = trust === undefined ? embeddedRoot(environment) : resolveArgument(trust, environment)
  const { verdict, ...hashes } = await verifyFile(resolveArgument(file, environment), {
    now: new Date(),
    ...(anchors !== undefined && { trust: anchors }),
  })
  print(json, { file, ...hashes, ...verdict }, describeVerdict(verdict, { file, ...hashes }))
  process.exitCode = exitCodeFor(verdict)
}

function exitCodeFor({ valid, coversWholeFile }: Pick<DocumentVerdict, 'valid' | 'coversWholeFile'>): number {
  if (valid === null) return EXIT_NOT_CHECKED
  if (!valid) return EXIT_NOT_VALID
  return coversWholeFile ? EXIT_VALID : EXIT_VALID_IN_PART
}
