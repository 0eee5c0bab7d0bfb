// The sweep behind what every read already shows: drafts that nobody has touched for long enough are gone.
import { SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { release } from '#core/quota/reserve.ts'
import { removeDraft } from './remove-draft.ts'
import { lockUntouched, measureDrafts } from './draft-store.ts'

const BATCH = 50
const MEASURED_AT_ONCE = 1_000

/** Measures drafts anew where the setting has changed, drops one batch, and answers how many there were. Needs a database of the system role. */
export async function dropDrafts(core: Pick<Core, 'database' | 'keys' | 'settings' | 'storage'>): Promise<number> {
  const measured = await measureDrafts(core.database, core.settings.draftTtlSeconds, MEASURED_AT_ONCE)
  const dropped = await inTransaction(core.database, async (sql) => {
    const untouched = await lockUntouched(sql, BATCH)
    const freed: { orgId: (typeof untouched)[number]['orgId']; bytes: number }[] = []
    for (const { orgId, id } of untouched) {
      const bytes = await removeDraft(sql, core, orgId, id, { ...SYSTEM, detail: { reason: 'untouched' } })
      freed.push({ orgId, bytes })
    }
    // In one order, as in every sweep, so that no two wait for each other.
    for (const { orgId, bytes } of freed.toSorted((left, right) => left.orgId.localeCompare(right.orgId)))
      release(sql, orgId, { openEnvelopes: 1, storageBytes: bytes })
    return untouched.length
  })
  return measured + dropped
}
