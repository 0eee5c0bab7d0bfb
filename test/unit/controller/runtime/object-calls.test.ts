import { describe, expect, test, vi } from 'vitest'
import { applyObject, applyStatus, deleteObject, patchFinalizers } from '../../../../controller/runtime/object-calls.ts'
import type { KubeClient, KubeRequest } from '../../../../core/platform/kubernetes/kube-client.ts'
import { KubeError } from '../../../../core/platform/kubernetes/kube-error.ts'

const resource = { group: 'sealwright.io', version: 'v1alpha1', plural: 'signingkeys', kind: 'SigningKey' }
const object = {
  apiVersion: 'sealwright.io/v1alpha1',
  kind: 'SigningKey',
  metadata: { name: 'one', namespace: 'ns', resourceVersion: '7' },
}
const PATH = '/apis/sealwright.io/v1alpha1/namespaces/ns/signingkeys/one'

function clientOf(answer: () => unknown) {
  const request = vi.fn(async (_request: KubeRequest) => answer())
  return { request, kube: { requests: { request, watch: vi.fn() } as unknown as KubeClient } }
}

describe('calls', () => {
  test.each([
    { call: applyObject, path: PATH },
    { call: applyStatus, path: `${PATH}/status` },
  ])('apply to $path with the manager and the version of the object', async ({ call, path }) => {
    const { request, kube } = clientOf(() => ({ ...object, stored: true }))
    expect(await call(kube, resource, object, { manager: 'projection', force: true })).toMatchObject({ stored: true })
    expect(request).toHaveBeenCalledExactlyOnceWith({
      method: 'PATCH',
      path,
      query: { fieldManager: 'projection', force: true },
      contentType: 'application/apply-patch+yaml',
      body: object,
    })
  })

  test('delete with preconditions', async () => {
    const { request, kube } = clientOf(() => ({}))
    await deleteObject(kube, resource, { namespace: 'ns', name: 'one' }, { uid: 'u', resourceVersion: '7' })
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      method: 'DELETE',
      path: PATH,
      body: { preconditions: { uid: 'u', resourceVersion: '7' } },
    })
  })

  test('patch finalizers of one version', async () => {
    const { request, kube } = clientOf(() => object)
    expect(await patchFinalizers(kube, resource, object, [])).toBe(object)
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      contentType: 'application/merge-patch+json',
      body: { metadata: { resourceVersion: '7', finalizers: [] } },
    })
  })

  const failing = (status: number) => clientOf(() => Promise.reject(new KubeError(status, 'Reason', 'message'))).kube

  test('take a missing object as deleted, and pass a conflict on', async () => {
    const reference = { namespace: 'ns', name: 'one' }
    expect(await deleteObject(failing(404), resource, reference)).toBeUndefined()
    expect(await patchFinalizers(failing(404), resource, object, [])).toBeUndefined()
    await expect(deleteObject(failing(409), resource, reference)).rejects.toMatchObject({ status: 409 })
    await expect(patchFinalizers(failing(409), resource, object, [])).rejects.toMatchObject({ status: 409 })
    await expect(applyStatus(failing(404), resource, object, { manager: 'm' })).rejects.toMatchObject({ status: 404 })
  })
})
