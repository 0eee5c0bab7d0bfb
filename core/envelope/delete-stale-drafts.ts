// Deletes drafts that were unchanged for too long; reads already hide them.
import { SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { discardObjects } from '#core/envelope/document/discard-objects.ts'
import type { OrgId } from '#core/ids.ts'
import { sweepDue } from '#core/work/sweep-due.ts'
import { release } from '#core/account/quota/reserve.ts'
import { type RemovedDraft, removeDraft } from './remove-draft.ts'
import { lockUntouched, measureDrafts } from './draft-store.ts'

const BATCH = 50
const MEASURED_AT_ONCE = 1_000

/** Recomputes the end of drafts after a change of the setting, deletes one batch, and returns how many. Needs a database of the system role. */
export async function deleteStaleDrafts(core: Pick<Core, 'database' | 'keys' | 'settings' | 'storage' | 'log'>): Promise<number> {
  const measured = await measureDrafts(core.database, core.settings.draftTtlSeconds, MEASURED_AT_ONCE)
  const dropped = await sweepDue(core, BATCH, {
    lock: lockUntouched,
    async work(sql, untouched) {
      const removed: (RemovedDraft & { orgId: OrgId })[] = []
      for (const { orgId, id } of untouched) {
        const draft = await removeDraft(sql, core.keys, orgId, id, { ...SYSTEM, detail: { reason: 'untouched' } })
        removed.push({ orgId, ...draft })
      }
      // In one order, as in every sweep, so that no two deadlock.
      for (const { orgId, bytes } of removed.toSorted((left, right) => left.orgId.localeCompare(right.orgId)))
        release(sql, orgId, { openEnvelopes: 1, storageBytes: bytes })
      return removed
    },
  })
  const drafts = dropped.flat()
  await discardObjects(
    core,
    drafts.flatMap(({ storageKeys }) => storageKeys),
  )
  return measured + drafts.length
}
