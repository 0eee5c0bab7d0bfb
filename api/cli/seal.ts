// `sealwright seal status | retry`
import { EnvelopeId } from '#core/ids.ts'
import { listUnsealed, type SealStatus } from '#core/seal/list-unsealed.ts'
import { retrySeal } from '#core/seal/retry-seal.ts'
import type { Command } from 'commander'
import { withDatabase } from './connect.ts'
import { parsed } from './parse-option.ts'
import { print } from './print.ts'

export function addSeal(program: Command): void {
  const seal = program.command('seal').description('sealing of completed envelopes')
  seal
    .command('status')
    .description('what waits to be sealed, and why')
    .option('--stuck', 'only what is not tried again by itself')
    .option('--json', 'print one JSON value')
    .action(status)
  seal
    .command('retry')
    .description('seal an envelope now, with its attempts counted anew')
    .requiredOption('--envelope <id>', 'its id', parsed(EnvelopeId))
    .option('--json', 'print one JSON value')
    .action(retry)
}

async function status({ stuck, json }: { stuck?: boolean; json?: boolean }): Promise<void> {
  const unsealed = await withDatabase((core) => listUnsealed(core, { stuck: stuck ?? false }))
  const rows = unsealed.map((row) => ({ ...row, dueAt: row.dueAt.toISOString(), createdAt: row.createdAt.toISOString() }))
  print(json, rows, unsealed.length > 0 ? unsealed.map(describe) : [stuck ? 'nothing is stuck' : 'everything is sealed'])
}

function describe({ envelopeId, state, attempts, createdAt, dueAt, lastError }: SealStatus): string {
  const next = state === 'stuck' ? 'retry it with: sealwright seal retry --envelope' : `next try ${dueAt.toISOString()}`
  return `${envelopeId}  sealing: ${state}  since ${createdAt.toISOString()}  attempts ${attempts}  ${next}${lastError ? `  (${lastError})` : ''}`
}

async function retry({ envelope, json }: { envelope: EnvelopeId; json?: boolean }): Promise<void> {
  const queued = await withDatabase((core) => retrySeal(core, envelope))
  if (!queued) throw new Error(`Envelope ${envelope} has nothing left to seal.`)
  print(json, { envelopeId: envelope, queued }, [`${envelope} is queued to be sealed`])
}
