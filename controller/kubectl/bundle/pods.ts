// How the pods of the installation are doing. Their specifications and environments are left out.
import type { KubeMetadata, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { type Cluster, listObjects } from '../cluster.ts'

const PODS: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod' }
const NAME = 'app.kubernetes.io/name'
const COMPONENT = 'app.kubernetes.io/component'

interface ContainerState {
  waiting?: { reason?: string }
  terminated?: { reason?: string; exitCode: number; finishedAt?: string }
}

interface ContainerStatus {
  name: string
  ready: boolean
  restartCount: number
  imageID: string
  state?: ContainerState
  lastState?: ContainerState
}

interface Pod {
  metadata: KubeMetadata
  spec: { nodeName?: string }
  status?: { phase?: string; startTime?: string; reason?: string; containerStatuses?: ContainerStatus[] }
}

/** Throws KubeError: not every user of the plugin may list pods. */
export async function describePods(cluster: Cluster): Promise<object[]> {
  const pods = await listObjects<Pod>(cluster, PODS)
  return pods.filter(({ metadata }) => metadata.labels?.[NAME] === 'sealwright').map(describePod)
}

function describePod({ metadata, spec, status = {} }: Pod): object {
  const { phase, reason, startTime, containerStatuses = [] } = status
  return {
    name: metadata.name,
    component: metadata.labels?.[COMPONENT],
    node: spec.nodeName,
    phase,
    reason,
    startTime,
    containers: containerStatuses.map(describeContainer),
  }
}

function describeContainer({ name, ready, restartCount, imageID, state, lastState }: ContainerStatus): object {
  const { reason, exitCode, finishedAt } = lastState?.terminated ?? {}
  const waitsFor = state?.waiting?.reason
  return { name, ready, restartCount, imageID, waitsFor, lastEnd: lastState?.terminated && { reason, exitCode, finishedAt } }
}
