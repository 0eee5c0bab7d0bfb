// Ends the retention of an envelope's documents in two crash-safe steps: the envelope is marked, which no setting and no hold reverts, then the bytes
// are deleted.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { sweepDue } from '#core/work/sweep-due.ts'
import { eraseArchived } from './erase-archived.ts'
import { lockEnded, markArchived } from './store.ts'

const MARKED_AT_ONCE = 200

type SweepCore = Pick<Core, 'database' | 'keys' | 'settings' | 'storage' | 'log'>

/** Takes one batch through each step and returns how much was done. Envelope, signers and audit trail stay. Needs a database of the system role. */
export async function archiveEnvelopes(core: SweepCore): Promise<number> {
  return (await markEnded(core)) + (await eraseArchived(core))
}

async function markEnded(core: SweepCore): Promise<number> {
  const marked = await sweepDue(core, MARKED_AT_ONCE, {
    lock: (sql, most, passedOver) => lockEnded(sql, core.settings.sealedRetentionSeconds, most, passedOver),
    async work(sql, ended) {
      for (const envelope of ended) {
        await markArchived(sql, envelope)
        await recordAudit(sql, core.keys, envelope.orgId, envelope.id, { ...SYSTEM, action: 'envelope.archived' })
      }
      return ended.length
    },
  })
  return marked.reduce((sum, count) => sum + count, 0)
}
