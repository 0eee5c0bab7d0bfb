// The Lease object: who holds it, and what to write. Pure.
import type { KubeMetadata } from '#core/platform/kubernetes/kube-object.ts'
import { microTime } from './wire-time.ts'

export const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }

/** Times are strings on the wire. */
export interface LeaseSpec {
  holderIdentity?: string
  leaseDurationSeconds?: number
  acquireTime?: string
  renewTime?: string
  leaseTransitions?: number
}

export interface Lease {
  apiVersion: string
  kind: string
  metadata: KubeMetadata
  spec: LeaseSpec
}

/** A Lease as we saw it, and when we first saw it so, in elapsed time: the clocks of other machines decide nothing. */
export interface Sighting {
  lease: Lease
  at: number
}

/** The sighting after a read: the older one as long as the record is the same. */
export function sight(before: Sighting | undefined, lease: Lease, at: number): Sighting {
  const isSame = before !== undefined && JSON.stringify(before.lease.spec) === JSON.stringify(lease.spec)
  return { lease, at: isSame ? before.at : at }
}

/** Whether another process holds the Lease: it changed the record within the duration that it wrote there. */
export function isHeldByOther({ lease, at }: Sighting, identity: string, now: number): boolean {
  const { holderIdentity, leaseDurationSeconds = 0 } = lease.spec
  if (!holderIdentity || holderIdentity === identity) return false
  return now - at < leaseDurationSeconds * 1000
}

/** The spec of a new holder. Every change of the holder, and every new start of the same one, gets a higher number of transitions. */
export function acquiredSpec(
  before: LeaseSpec | undefined,
  {
    identity,
    durationMs,
    leastTransitions,
    wall,
  }: { identity: string; durationMs: number; leastTransitions: number; wall: Date },
): LeaseSpec {
  const transitions = Math.max(before?.leaseTransitions ?? 0, leastTransitions) + 1
  const time = microTime(wall)
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: time,
    renewTime: time,
    leaseTransitions: transitions,
  }
}

/** The spec after a renewal. */
export function renewedSpec(before: LeaseSpec, wall: Date): LeaseSpec {
  return { ...before, renewTime: microTime(wall) }
}

/** The spec after a release: without a holder, so that the next process need not wait for the end of the duration. */
export function releasedSpec(before: LeaseSpec, wall: Date): LeaseSpec {
  return {
    leaseDurationSeconds: 1,
    renewTime: microTime(wall),
    acquireTime: microTime(wall),
    leaseTransitions: before.leaseTransitions ?? 0,
  }
}
