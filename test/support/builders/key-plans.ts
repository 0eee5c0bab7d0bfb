// Tables of snapshots of signing keys with the plans that they need.
import { expect, it } from 'vitest'
import { plan } from '../../../controller/signing-key/plan.ts'
import type { Snapshot } from '../../../controller/signing-key/snapshot.ts'
import { aKeySnapshot } from './key-objects.ts'

export interface Case {
  name: string
  snapshot: Partial<Snapshot>
  /** The effects by name, and what is wrong. */
  effects?: string[]
  problem?: string
}

export function judge({ name, snapshot, effects = [], problem }: Case): void {
  it(name, () => {
    const planned = plan(aKeySnapshot(snapshot))
    expect(planned.effects.map((effect) => effect.do)).toEqual(effects)
    expect(planned.mismatch?.reason ?? planned.refusal?.reason).toBe(problem)
  })
}
