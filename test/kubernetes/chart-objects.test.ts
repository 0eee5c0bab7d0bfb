// A real API server accepts every object of the chart: with strict fields, restricted Pod Security and our admission policies.
import { beforeAll, describe, expect, test } from 'vitest'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { objectsIn, renderChart } from '../../hack/chart/render.ts'
import { applyManifests, tryManifest } from '../../hack/servers/apply-manifests.ts'
import { PROFILES } from '../chart/profiles.ts'
import { podsOf } from '../support/judges/chart-policy.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const { name: namespace, kube } = await kubeNamespace({ admission: true })
const KEYS_NAMESPACE = `${namespace}-keys`
/** Kinds of other projects. */
const FOREIGN = ['ServiceMonitor', 'PrometheusRule', 'ScaledObject', 'HTTPRoute', 'Certificate', 'CiliumNetworkPolicy']
const RESTRICTED = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/enforce-version': 'latest',
}

/** Most profiles have most objects in common: each is tried once. */
const tried = new Set<string>()

beforeAll(async () => {
  for (const name of [namespace, KEYS_NAMESPACE]) {
    await applyManifests(kube.requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: RESTRICTED } }])
  }
  const important = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'important' }, value: 1000 }
  await applyManifests(kube.requests, [important])
})

function isNew(object: object): boolean {
  const text = JSON.stringify(object)
  if (tried.has(text)) return false
  tried.add(text)
  return true
}

async function render(args: readonly string[]): Promise<KubeObject[]> {
  const keys = args.some((each) => each.endsWith('external.yaml'))
    ? ['--set', `settings.kubeKeysNamespace=${KEYS_NAMESPACE}`]
    : []
  const objects = objectsIn(await renderChart({ args: [...args, ...keys], namespace }))
  // Pods are only accepted when their ServiceAccount is there.
  await applyManifests(kube.requests, objects.filter(({ kind }) => kind === 'ServiceAccount').filter(isNew))
  return objects.filter(({ kind }) => !FOREIGN.includes(kind))
}

/** Pod Security judges pods, not what makes them. */
function podsFrom(objects: readonly KubeObject[]): KubeObject[] {
  return podsOf(objects).map(({ owner, spec }) => {
    const name = owner.toLowerCase().replace(' ', '-')
    const volumes = spec.volumes.filter((volume) => !('persistentVolumeClaim' in volume))
    const claims = spec.containers.flatMap((each) => each['volumeMounts'] as { name: string }[]).map((mount) => mount.name)
    const missing = [...new Set(claims)].filter((claim) => volumes.every((volume) => volume.name !== claim))
    const bound = [...volumes, ...missing.map((claim) => ({ name: claim, emptyDir: {} }))]
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec: { ...spec, volumes: bound } } as KubeObject
  })
}

describe.each(PROFILES)('the profile $name', ({ args }) => {
  test('is accepted', async () => {
    const objects = await render(args)
    const all = [...objects, ...podsFrom(objects)].filter(isNew)
    for (const object of all) {
      const refusal = await tryManifest(kube.requests, object).catch((error: Error) => error.message)
      expect(refusal, `${object.kind} ${object.metadata.name}`).toBeUndefined()
    }
  })
})

test('the server enforces restricted Pod Security, so that the profiles prove something', async () => {
  const [pod] = podsFrom(await render(PROFILES[0]!.args))
  const privileged = { ...pod!, spec: { ...(pod as unknown as { spec: object }).spec, hostNetwork: true } } as KubeObject
  await expect(tryManifest(kube.requests, privileged)).rejects.toThrow('violates PodSecurity "restricted:latest"')
})
