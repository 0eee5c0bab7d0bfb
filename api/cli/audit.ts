// `sealwright audit verify`
import type { BadRow } from '#core/audit/findings.ts'
import { type AuditVerdict, verifyAudit } from '#core/audit/verify-audit.ts'
import { type CopyVerdict, verifyCopy } from '#core/audit-report/verify-copy.ts'
import { OrgId } from '#core/ids.ts'
import { checkKey } from '#core/installation/check-key.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { readEnvironment } from '../config.ts'
import { resolveArgument } from './called-in.ts'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { print } from './print.ts'
import { collected } from './parse-option.ts'
import { readNamed } from './read-named.ts'

const Head = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'a head has 64 hexadecimal digits, as `audit verify` prints it')
  .transform((head) => head.toLowerCase())

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('verify the audit trail')
  audit
    .command('verify')
    .description('verify every hash chain and report the first entry that was changed')
    .option('--org <id>', 'check only this organisation', orgId)
    .option(
      '--known-head <hash...>',
      'heads that an earlier run printed, or `ledgerHash` of the log: fails when the trail lacks one',
      collected(Head),
    )
    .option('--file <pdf...>', 'sealed copies to compare with the audit trail')
    .option('--json', 'print one JSON value')
    .action(verify)
}

interface VerifyOptions {
  org?: OrgId
  knownHead?: string[]
  file?: string[]
  json?: boolean
}

async function verify({ org, knownHead, file: files = [], json }: VerifyOptions): Promise<void> {
  const environment = readEnvironment()
  const keys = await findInstallationKeys()
  const { verdict, copies } = await withDatabase(async ({ database }) => {
    await checkKey({ database, keys })
    return {
      verdict: await verifyAudit({ database, keys }, org, knownHead),
      copies: await Promise.all(
        files.map(async (file) => ({
          file,
          ...(await verifyCopy({ database }, await readNamed(resolveArgument(file, environment)))),
        })),
      ),
    }
  })
  const answer = { ...verdict, firstBadRow: verdict.badRows[0] ?? null, ...(files.length > 0 && { copies }) }
  print(json, answer, [...describe(verdict), ...copies.map(describeCopy)])
  if (!verdict.intact || verdict.knownHeads.some(({ found }) => !found) || copies.some(({ matches }) => !matches))
    process.exitCode = 1
}

function describeCopy({ file, matches, message }: CopyVerdict & { file: string }): string {
  return `${toVisibleLine(file)}: ${matches ? 'matches' : 'DOES NOT MATCH'} (${message})`
}

function describe({ intact, rows, envelopes, notInLedger, ledgers, knownHeads, badRows }: AuditVerdict): string[] {
  const [first, ...more] = badRows
  return [
    intact ? 'the audit trail is intact' : 'THE AUDIT TRAIL IS NOT INTACT',
    ...(first ? [`first invalid entry: ${describeRow(first)}`] : []),
    ...more.map((row) => `also invalid: ${describeRow(row)}`),
    `${rows} entries of ${envelopes} envelopes, ${notInLedger} of them not in a ledger yet`,
    ...knownHeads.map(({ hash, found }) =>
      found
        ? `the audit trail contains the known head ${hash}`
        : `THE AUDIT TRAIL DOES NOT CONTAIN the known head ${hash}: it was restored to an earlier state, or the head is of another installation or organisation`,
    ),
    ...ledgers.map((ledger) => `ledger of ${ledger.orgId}: ${ledger.rows} entries, head ${ledger.hash}`),
  ]
}

function describeRow({ orgId: owner, envelopeId, seq, ledgerSeq, kind, message }: BadRow): string {
  const place = envelopeId === null ? `ledger entry ${ledgerSeq}` : `envelope ${envelopeId}, entry ${seq}`
  return `organisation ${owner}, ${place}: ${kind} (${message})`
}

function orgId(value: string): OrgId {
  const id = OrgId.safeParse(value)
  if (id.success) return id.data
  throw new InvalidArgumentError('not a valid organisation ID')
}
