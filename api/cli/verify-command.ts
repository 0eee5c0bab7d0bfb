// `sealwright verify FILE.pdf`
import type { Command } from 'commander'
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
    .option('--trust <pem>', 'PEM file with trusted certificates: a root or the seal certificate')
    .option('--json', 'print one JSON value')
    .action(verify)
}

async function verify(file: string, { trust, json }: VerifyOptions): Promise<void> {
  const { verdict, sha256 } = await verifyFile(file, trust === undefined ? {} : { trust })
  print(json, { file, sha256, ...verdict }, describeVerdict(verdict, { file, sha256 }))
  if (!verdict.valid) process.exitCode = 1
}
