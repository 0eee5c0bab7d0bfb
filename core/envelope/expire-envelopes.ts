// Stores the expiry of envelopes; reads already show them as expired.
import { SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { sweepDue } from '#core/work/sweep-due.ts'
import { endEnvelope } from './end-envelope.ts'
import { findEnvelope, lockLapsed } from './store.ts'

/** Envelopes of one batch, so that the transaction does not grow with the backlog. */
const BATCH = 500

/** Expires one batch and returns how many. Concurrent sweeps share the work. Needs a database of the system role. */
export async function expireEnvelopes(core: Pick<Core, 'database' | 'keys' | 'log'>): Promise<number> {
  const expired = await sweepDue(core, BATCH, {
    lock: lockLapsed,
    async work(sql, expired) {
      // Ordered by organisation: concurrent sweeps lock the organisations' rows in one order, so they never deadlock.
      for (const { orgId, id } of expired.toSorted(byOrganisation)) {
        const envelope = await findEnvelope(sql, orgId, id)
        if (envelope) await endEnvelope(sql, core.keys, orgId, envelope, 'EXPIRED', SYSTEM)
      }
      return expired.length
    },
  })
  return expired.reduce((sum, count) => sum + count, 0)
}

function byOrganisation(left: { orgId: string }, right: { orgId: string }): number {
  return left.orgId.localeCompare(right.orgId)
}
