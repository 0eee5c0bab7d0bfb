// The transport against a real API server.
import { expect, test } from 'vitest'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()

function newConfigMap(name: string, data: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
}

async function create(name: string): Promise<KubeObject> {
  return kube.requests.request({ method: 'POST', path: objectPath(CONFIG_MAPS, namespace), body: newConfigMap(name) })
}

test('an object is created, read, changed and deleted', async () => {
  const created = await create('one')
  const path = objectPath(CONFIG_MAPS, namespace, 'one')
  const patched = await kube.requests.request<KubeObject & { data: object }>({
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: { data: { key: 'value' } },
  })
  expect(patched.metadata.uid).toBe(created.metadata.uid)
  expect(patched.data).toEqual({ key: 'value' })
  await kube.requests.request({ method: 'DELETE', path })
  await expect(kube.requests.request({ method: 'GET', path })).rejects.toMatchObject({ status: 404, reason: 'NotFound' })
})

test.each([
  ['an object that exists', 'POST', objectPath(CONFIG_MAPS, namespace), newConfigMap('twice'), 409, 'AlreadyExists'],
  ['an invalid object', 'POST', objectPath(CONFIG_MAPS, namespace), newConfigMap('No_Name'), 422, 'Invalid'],
  ['a kind that is not served', 'GET', '/apis/sealwright.io/v9/nothing', undefined, 404, 'NotFound'],
] as const)('%s is refused with status and reason', async (_, method, path, body, status, reason) => {
  if (status === 409) await create('twice')
  const refused = kube.requests.request({ method, path, ...(body && { body }) })
  await expect(refused).rejects.toMatchObject({ name: 'KubeError', status, reason })
})

test('a ServiceAccount signs in with the token of its file, and is refused what its Roles do not allow', async () => {
  const files = await serviceAccountKubeconfig('nobody')
  await using own = await openKube({ kubeconfig: files.kubeconfig })
  const refused = own.requests.request({ method: 'GET', path: objectPath(CONFIG_MAPS, namespace) })
  await expect(refused).rejects.toMatchObject({ status: 403, reason: 'Forbidden' })
  await expect(refused).rejects.toThrow(`system:serviceaccount:${namespace}:nobody`)
})

test('a watch yields what happens, and ends when its caller leaves', async () => {
  const { metadata } = await kube.requests.request<KubeObject>({ method: 'GET', path: objectPath(CONFIG_MAPS, namespace) })
  const path = objectPath(CONFIG_MAPS, namespace)
  const query = { watch: true, resourceVersion: metadata.resourceVersion ?? '' }
  let chunks = 0
  const watch = kube.watches.watch({ path, query }, () => chunks++)
  await create('watched')
  for await (const event of watch) {
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } })
    break
  }
  expect(chunks).toBeGreaterThan(0)
})
