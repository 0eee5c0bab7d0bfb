// Reads and writes of the Lease. Every write has the version that was read as its precondition.
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { type Lease, LEASES, type LeaseSpec } from './lease.ts'
import { apiVersionOf } from './stored-object.ts'

export interface LeaseCalls {
  /** The Lease, or undefined when it does not exist. */
  read(timeoutMs: number): Promise<Lease | undefined>
  /** Creates the Lease, or replaces this version of it. Throws KubeError 409 when another process was first, 404 when it was deleted. */
  write(before: Lease | undefined, spec: LeaseSpec, timeoutMs: number): Promise<Lease>
}

/** The calls for the Lease of this name. */
export function newLeaseCalls(client: KubeClient, namespace: string, name: string): LeaseCalls {
  const path = objectPath(LEASES, namespace, name)
  const created = { apiVersion: apiVersionOf(LEASES), kind: LEASES.kind, metadata: { namespace, name } }
  return {
    async read(timeoutMs) {
      try {
        return await client.request<Lease>({ method: 'GET', path, timeoutMs })
      } catch (error) {
        if (error instanceof KubeError && error.status === 404) return undefined
        throw error
      }
    },
    write: (before, spec, timeoutMs) =>
      before
        ? client.request<Lease>({ method: 'PUT', path, body: { ...before, spec }, timeoutMs })
        : client.request<Lease>({ method: 'POST', path: objectPath(LEASES, namespace), body: { ...created, spec }, timeoutMs }),
  }
}
