// Cases of the decisions about WebhookSubscriptions: a snapshot, and what is planned for it.
import { expect, it } from 'vitest'
import { plan } from '../../../controller/webhook-subscription/plan.ts'
import type { Snapshot } from '../../../controller/webhook-subscription/snapshot.ts'
import { aSnapshot } from './subscriptions.ts'

export interface PlanCase {
  name: string
  snapshot: Partial<Snapshot>
  /** The effects by name, and what is wrong. */
  effects?: string[]
  problem?: string
}

export function judge({ name, snapshot, effects = [], problem }: PlanCase): void {
  it(name, () => {
    const planned = plan(aSnapshot(snapshot))
    expect(planned.effects.map((effect) => effect.do)).toEqual(effects)
    expect(planned.mismatch?.reason ?? planned.refusal?.reason).toBe(problem)
  })
}
