// The decision of a reconcile: which effects bring object and row together. Pure. `act.ts` carries the effects out, each idempotent, and then the
// plan is recomputed from what is there; an empty plan means that only the status remains to be written.
import type { Effect, Plan } from './effect.ts'
import { planManaged } from './plan-managed.ts'
import { planProjected } from './plan-projected.ts'
import { isProjected, type Snapshot } from './snapshot.ts'

/** The effects that are due now. The same snapshot always gives the same plan. */
export function plan(snapshot: Snapshot): Plan {
  const orphans = planOrphans(snapshot)
  const planned = isProjected(snapshot) ? planProjected(snapshot) : planManaged(snapshot)
  return { ...planned, effects: [...orphans, ...planned.effects] }
}

/** A row whose object disappeared goes on sealing: a restored etcd or a removed definition is no request to stop. */
function planOrphans({ vanished, holdsDeletions }: Snapshot): Effect[] {
  const uids = vanished.flatMap(({ object, orphanedAt }) => (object && !orphanedAt ? [object.uid] : []))
  return holdsDeletions || uids.length === 0 ? [] : [{ do: 'mark-orphaned', uids }]
}
