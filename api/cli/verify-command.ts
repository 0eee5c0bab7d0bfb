// `sealwright verify FILE.pdf`
import type { Command } from 'commander'
import type { DocumentVerdict } from '#core/pades/verify-document.ts'
import { readEnvironment } from '../config.ts'
import { embeddedRoot, resolveArgument } from './called-in.ts'
import { print } from './print.ts'
import { parsed } from './parse-option.ts'
import { z } from 'zod'
import { TimeLimitError } from '#core/platform/process/run-within.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { describeVerdict, verifyFile } from './verify.ts'

interface VerifyOptions {
  trust?: string
  timeout?: number
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
    .option('--timeout <seconds>', 'how long the check may take (default: 60)', parsed(Seconds))
    .option('--json', 'print one JSON value')
    .action(verify)
}

const Seconds = z.coerce.number().positive().max(86_400)
const EXIT_VALID = 0
const EXIT_NOT_VALID = 1
/** Intact, but by whom was not checked. */
const EXIT_NOT_CHECKED = 3
/** Valid, but something that is permitted follows what was sealed. */
const EXIT_VALID_IN_PART = 4
/** Neither valid nor not valid: the check took too long. */
const EXIT_TOO_LONG = 5

async function verify(file: string, options: VerifyOptions): Promise<void> {
  try {
    await verifyAndPrint(file, options)
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    process.stderr.write(`${toVisibleLine(file)} was not checked. ${error.message} Use --timeout to let it take longer.\n`)
    process.exitCode = EXIT_TOO_LONG
  }
}

async function verifyAndPrint(file: string, { trust, timeout, json }: VerifyOptions): Promise<void> {
  const environment = readEnvironment()
  const anchors = trust === undefined ? embeddedRoot(environment) : resolveArgument(trust, environment)
  const { verdict, ...hashes } = await verifyFile(resolveArgument(file, environment), {
    now: new Date(),
    limitSeconds: timeout,
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
