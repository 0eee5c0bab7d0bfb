// What the runtime writes, as the API server and kubectl accept it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { startEventRecorder } from '../../controller/runtime/event-recorder.ts'
import { applyObject, createObject, deleteObject, patchFinalizers, wouldDelete } from '../../controller/runtime/object-calls.ts'
import { systemClock } from '../../controller/runtime/runtime-clock.ts'
import type { KubeObject } from '../../core/platform/kubernetes/kube-object.ts'
import type { Logger } from '../../core/platform/log.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const { name: namespace, kube, kubeconfig } = await kubeNamespace()
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const configMap = (name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...more },
})
const apply = (object: KubeObject) => applyObject(kube, CONFIG_MAPS, object, { manager: 'sealwright-test', force: true })

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(inject('kubectl'), ['--kubeconfig', kubeconfig, '--namespace', namespace, ...args])
  return stdout
}

test('events appear in kubectl, equal ones once', async () => {
  const regarding = await apply(configMap('with-events'))
  const source = { controller: 'sealwright.io/controller', instance: 'pod-1' }
  const recorder = startEventRecorder({ ...source, kube, clock: systemClock, log: silent })
  const event = {
    regarding,
    type: 'Warning' as const,
    reason: 'AutoDisabled',
    action: 'Disable',
    note: 'Three deliveries failed.',
  }
  for (let count = 0; count < 3; count++) recorder.record(event)
  await recorder[Symbol.asyncDispose]()
  const { items } = JSON.parse(await kubectl('get', 'events.v1.events.k8s.io', '--output', 'json')) as { items: unknown[] }
  expect(items).toMatchObject([{ ...event, regarding: { name: 'with-events', uid: regarding.metadata.uid } }])
  expect(await kubectl('events', '--for', 'configmap/with-events')).toMatch(/Warning +AutoDisabled .*Three deliveries failed\./)
})

test('an apply that changes nothing leaves the version, and one of an older version is refused', async () => {
  const first = await apply(configMap('applied', { labels: { a: '1' } }))
  const same = await apply(configMap('applied', { labels: { a: '1' } }))
  expect(same.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
  await apply(configMap('applied', { labels: { a: '2' } }))
  const { resourceVersion, uid } = first.metadata
  const stale = apply(configMap('applied', { labels: { a: '3' }, ...(resourceVersion && { resourceVersion }) }))
  await expect(stale).rejects.toMatchObject({ name: 'KubeError', status: 409 })
  const otherObject = apply(configMap('applied', { uid: `0${uid?.slice(1)}` }))
  await expect(otherObject).rejects.toMatchObject({ name: 'KubeError', status: expect.toBeOneOf([409, 422]) })
})

test('finalizers are changed on the version that was read only, and deletions on the object that was read only', async () => {
  const first = await apply(configMap('guarded', { finalizers: ['sealwright.io/test'] }))
  const changed = await kube.requests.request<KubeObject>({
    method: 'PATCH',
    path: `/api/v1/namespaces/${namespace}/configmaps/guarded`,
    contentType: 'application/merge-patch+json',
    body: { data: { key: 'value' } },
  })
  await expect(patchFinalizers(kube, CONFIG_MAPS, first, [])).rejects.toMatchObject({ status: 409 })
  const reference = { namespace, name: 'guarded' }
  await expect(deleteObject(kube, CONFIG_MAPS, reference, { uid: 'another' })).rejects.toMatchObject({ status: 409 })
  await deleteObject(kube, CONFIG_MAPS, reference, { uid: first.metadata.uid ?? '' })
  const deleting = await kube.requests.request<KubeObject>({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}/configmaps/guarded`,
  })
  expect(deleting.metadata.deletionTimestamp).toBeDefined()
  expect(deleting.metadata.uid).toBe(changed.metadata.uid)
  await patchFinalizers(kube, CONFIG_MAPS, deleting, [])
  expect(await patchFinalizers(kube, CONFIG_MAPS, deleting, [])).toBeUndefined()
  await deleteObject(kube, CONFIG_MAPS, reference)
})

test('an object is created once, and found by its uid without being read or deleted', async () => {
  const options = { manager: 'sealwright-test' }
  const created = await createObject(kube, CONFIG_MAPS, configMap('created'), options)
  expect(await createObject(kube, CONFIG_MAPS, configMap('created'), options)).toBeUndefined()
  const uid = created?.metadata.uid ?? ''
  const found = (name: string, of: string) => wouldDelete(kube, CONFIG_MAPS, { namespace, name, uid: of })
  expect(await found('created', uid)).toBe(true)
  expect(await found('created', `0${uid.slice(1)}x`)).toBe(false)
  expect(await found('missing', uid)).toBe(false)
  expect(await found('created', uid)).toBe(true)
})
