// The stop after which no controller is left: its namespace is being deleted, or its Deployment was scaled to zero. Objects with our finalizer could not be
// deleted then, nor the namespace with them.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { type KubeObject, objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { Requests } from '../runtime/object-calls.ts'
import type { OperatorContext } from './kind.ts'
import { type Place, releaseFinalizers } from './release-finalizers.ts'

/** Part of the time that a process has to stop. */
const RELEASED_WITHIN_MS = 10_000

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' }

interface Deployment extends KubeObject {
  spec: { replicas?: number }
}

/** Releases the objects if this stop is the last one. To be called when the loops of this process have ended. Logs what fails: the plugin can do it later. */
export async function releaseAtFinalStop(
  { kube, namespace, core, log }: OperatorContext,
  places: readonly Place[],
): Promise<void> {
  const signal = AbortSignal.timeout(RELEASED_WITHIN_MS)
  try {
    if (!(await isFinal(kube, namespace, core.settings.kubeDeployment, signal))) return
    for (const place of places) {
      const released = await releaseFinalizers(kube, place, signal)
      if (released.length > 0) log.info({ kind: place.resource.kind, count: released.length }, 'mirror.released')
    }
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'mirror.release_failed')
  }
}

async function isFinal(kube: Requests, namespace: string, deployment: string | undefined, signal: AbortSignal): Promise<boolean> {
  const scale =
    deployment === undefined ? undefined : await read<Deployment>(kube, objectPath(DEPLOYMENTS, namespace, deployment), signal)
  if (scale?.spec.replicas === 0) return true
  const place = await read<KubeObject>(kube, `/api/v1/namespaces/${encodeURIComponent(namespace)}`, signal)
  return place?.metadata.deletionTimestamp !== undefined
}

/** Undefined when it is gone, or when this process may not read it: outside of a cluster its rights are its user's choice. */
async function read<T>({ requests }: Requests, path: string, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await requests.request<T>({ method: 'GET', path, signal })
  } catch (error) {
    if (error instanceof KubeError && [403, 404].includes(error.status)) return undefined
    throw error
  }
}
