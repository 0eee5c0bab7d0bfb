// The sweep that writes down what every read already shows: envelopes whose time has passed have expired.
import { SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { sweepDue } from '#core/work/sweep-due.ts'
import { endEnvelope } from './end-envelope.ts'
import { findEnvelope, lockAutoExpired } from './store.ts'

/** Envelopes of one batch, so that no transaction grows with the backlog. */
const BATCH = 500

/** Expires one batch and answers how many there were. Sweeps side by side share the work. Needs a database of the system role. */
export async function expireEnvelopes(core: Pick<Core, 'database' | 'keys' | 'log'>): Promise<number> {
  const expired = await sweepDue(core, BATCH, {
    lock: lockAutoExpired,
    async work(sql, lapsed) {
      // By organisation: sweeps side by side take the organisations' rows in one order, so none waits for the other in a circle.
      for (const { orgId, id } of lapsed.toSorted(byOrganisation)) {
        const envelope = await findEnvelope(sql, orgId, id)
        if (envelope) await endEnvelope(sql, core.keys, orgId, envelope, 'EXPIRED', SYSTEM)
      }
      return lapsed.length
    },
  })
  return expired.reduce((sum, count) => sum + count, 0)
}

function byOrganisation(left: { orgId: string }, right: { orgId: string }): number {
  return left.orgId.localeCompare(right.orgId)
}
