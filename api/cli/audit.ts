// `sealwright audit verify`
import type { BadRow } from '#core/audit/findings.ts'
import { type AuditVerdict, verifyAudit } from '#core/audit/verify-audit.ts'
import { type CopyVerdict, verifyCopy } from '#core/audit-report/verify-copy.ts'
import { OrgId } from '#core/ids.ts'
import { checkKey } from '#core/installation/check-key.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { findInstallationKeys, withDatabase } from './connect.ts'
import { print } from './print.ts'
import { readNamed } from './read-named.ts'

export function addAudit(program: Command): void {
  const audit = program.command('audit').description('verify the audit trail')
  audit
    .command('verify')
    .description('verify every hash chain and report the first entry that was changed')
    .option('--org <id>', 'check only this organisation', orgId)
    .option('--file <pdf...>', 'sealed copies to compare with the audit trail')
    .option('--json', 'print one JSON value')
    .action(verify)
}

interface VerifyOptions {
  org?: OrgId
  file?: string[]
  json?: boolean
}

async function verify({ org, file: files = [], json }: VerifyOptions): Promise<void> {
  const keys = await findInstallationKeys()
  const { verdict, copies } = await withDatabase(async ({ database }) => {
    await checkKey({ database, keys })
    return {
      verdict: await verifyAudit({ database, keys }, org),
      copies: await Promise.all(
        files.map(async (file) => ({ file, ...(await verifyCopy({ database }, await readNamed(file))) })),
      ),
    }
  })
  const answer = { ...verdict, firstBadRow: verdict.badRows[0] ?? null, ...(files.length > 0 && { copies }) }
  print(json, answer, [...describe(verdict), ...copies.map(describeCopy)])
  if (!verdict.intact || copies.some(({ matches }) => !matches)) process.exitCode = 1
}

function describeCopy({ file, matches, message }: CopyVerdict & { file: string }): string {
  return `${toVisibleLine(file)}: ${matches ? 'matches' : 'DOES NOT MATCH'} (${message})`
}

function describe({ intact, rows, envelopes, notInLedger, ledgers, badRows }: AuditVerdict): string[] {
  const [first, ...more] = badRows
  return [
    intact ? 'the audit trail is intact' : 'THE AUDIT TRAIL IS NOT INTACT',
    ...(first ? [`first invalid entry: ${describeRow(first)}`] : []),
    ...more.map((row) => `also invalid: ${describeRow(row)}`),
    `${rows} entries of ${envelopes} envelopes, ${notInLedger} of them not in a ledger yet`,
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
