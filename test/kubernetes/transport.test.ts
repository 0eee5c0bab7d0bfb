// The transport against a real API server, directly and through a proxy that counts or breaks connections.
import { writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { type KubeObject, objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { writeKubeconfig } from '../../hack/servers/kubeconfig-file.ts'
import { startTcpProxy } from '../support/faults/tcp-proxy.ts'
import { kubeNamespace, type ServiceAccountFiles } from '../support/servers/kube-server.ts'

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const { name: namespace, kube, serviceAccountKubeconfig } = await kubeNamespace()
const all = objectPath(CONFIG_MAPS, namespace)

function newConfigMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
}

async function create(name: string): Promise<KubeObject> {
  return kube.requests.request({ method: 'POST', path: all, body: newConfigMap(name) })
}

describe('a call', () => {
  test('creates, changes and deletes an object', async () => {
    const created = await create('one')
    const path = objectPath(CONFIG_MAPS, namespace, 'one')
    const patched = await kube.requests.request<KubeObject & { data: object }>({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { data: { key: 'value' } },
    })
    expect(patched).toMatchObject({ metadata: { uid: created.metadata.uid }, data: { key: 'value' } })
    await kube.requests.request({ method: 'DELETE', path })
    await expect(kube.requests.request({ method: 'GET', path })).rejects.toMatchObject({ status: 404, reason: 'NotFound' })
  })

  test.each([
    ['an object that exists', newConfigMap('twice'), 409, 'AlreadyExists'],
    ['an invalid object', newConfigMap('No_Name'), 422, 'Invalid'],
    ['an object of another kind', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'other' } }, 400, 'BadRequest'],
  ] as const)('with %s fails with status and reason', async (_, body, status, reason) => {
    if (status === 409) await create('twice')
    const refused = kube.requests.request({ method: 'POST', path: all, body })
    await expect(refused).rejects.toMatchObject({ name: 'KubeError', status, reason })
  })

  test('to a kind that is not served fails with NotFound, although the answer is no Status', async () => {
    const refused = kube.requests.request({ method: 'GET', path: '/apis/sealwright.io/v9/nothing' })
    await expect(refused).rejects.toMatchObject({ name: 'KubeError', status: 404, reason: 'NotFound' })
  })

  test('with a stale resource version is a conflict', async () => {
    const { metadata } = await create('stale')
    const path = objectPath(CONFIG_MAPS, namespace, 'stale')
    const put = { method: 'PUT', path, body: { ...newConfigMap('stale'), metadata } } as const
    await kube.requests.request({ ...put, body: { ...put.body, data: { first: 'yes' } } })
    await expect(kube.requests.request(put)).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
  })
})

test('a watch yields what happens, and ends when its caller leaves', async () => {
  const { metadata } = await kube.requests.request<KubeObject>({ method: 'GET', path: all })
  let chunks = 0
  const query = { watch: true, resourceVersion: metadata.resourceVersion ?? '' }
  const watch = kube.watches.watch({ path: all, query }, () => chunks++)
  await create('watched')
  for await (const event of watch) {
    expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } })
    break
  }
  expect(chunks).toBeGreaterThan(0)
})

describe('a ServiceAccount', () => {
  let files: ServiceAccountFiles
  beforeAll(async () => void (files = await serviceAccountKubeconfig('sealwright-controller')))
  const subscriptions = `/apis/sealwright.io/v1alpha1/namespaces/${namespace}/webhooksubscriptions`

  test('signs in with the token of its file, and may do what the shipped Roles allow', async () => {
    await using own = await openKube({ kubeconfig: files.kubeconfig })
    expect(await own.requests.request({ method: 'GET', path: subscriptions })).toMatchObject({ items: [] })
    const refused = own.requests.request({ method: 'GET', path: all })
    await expect(refused).rejects.toMatchObject({ status: 403, reason: 'Forbidden' })
    await expect(refused).rejects.toThrow(`system:serviceaccount:${namespace}:sealwright-controller`)
  })

  test('whose token was replaced is served: the file is read again after the refusal', async () => {
    await writeFile(files.tokenFile, 'an.expired.token')
    await using own = await openKube({ kubeconfig: files.kubeconfig })
    const list = { method: 'GET', path: subscriptions } as const
    const refused = own.requests.request(list)
    await expect(refused).rejects.toMatchObject({ status: 401, reason: 'Unauthorized' })
    await expect(refused).rejects.not.toThrow('an.expired.token')
    await files.renew()
    expect(await own.requests.request(list)).toMatchObject({ items: [] })
    const query = { watch: true, timeoutSeconds: 1 }
    const watch = own.watches.watch({ path: subscriptions, query }, () => {})
    expect(await watch[Symbol.asyncIterator]().next()).toMatchObject({ done: true })
  })
})

describe('through a proxy', () => {
  const list = { method: 'GET', path: `/apis/sealwright.io/v1alpha1/namespaces/${namespace}/webhooksubscriptions` } as const

  /** A client whose connections all go through a proxy of its own. */
  async function openProxied() {
    const proxy = await startTcpProxy(Number(new URL(kube.server).port))
    const files = await serviceAccountKubeconfig('sealwright-controller')
    const kubeconfig = `${files.kubeconfig}.proxied`
    await writeKubeconfig(kubeconfig, {
      server: `https://127.0.0.1:${proxy.port}`,
      authority: inject('kubeAuthority'),
      user: { name: 'controller', tokenFile: files.tokenFile },
    })
    const own = await openKube({ kubeconfig })
    return {
      proxy,
      own,
      async [Symbol.asyncDispose]() {
        await own[Symbol.asyncDispose]()
        await proxy[Symbol.asyncDispose]()
      },
    }
  }

  test('a thousand calls one after the other use a handful of connections, and fifty at once at most sixteen', async () => {
    await using proxied = await openProxied()
    const { own, proxy } = proxied
    for (let calls = 0; calls < 1_000; calls++) await own.requests.request(list)
    expect(proxy.accepted()).toBeLessThanOrEqual(4)
    await Promise.all(Array.from({ length: 50 }, () => own.requests.request(list)))
    expect(proxy.accepted()).toBeLessThanOrEqual(20)
  })

  test('silent connections cost one call its deadline; the next call has a new one', async () => {
    await using proxied = await openProxied()
    const { own, proxy } = proxied
    await Promise.all(Array.from({ length: 8 }, () => own.requests.request(list)))
    proxy.mute()
    const late = own.requests.request({ ...list, timeoutMs: 300 })
    await expect(late).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'deadline' })
    for (let calls = 0; calls < 8; calls++) expect(await own.requests.request(list)).toMatchObject({ items: [] })
  })

  test('calls and the Lease are served while a watch is silent', async () => {
    await using proxied = await openProxied()
    const { own, proxy } = proxied
    const gone = new AbortController()
    const watch = own.watches.watch({ path: list.path, query: { watch: true }, signal: gone.signal }, () => {})
    const first = watch[Symbol.asyncIterator]().next()
    await own.requests.request(list)
    proxy.mute()
    expect(await own.lease.request(list)).toMatchObject({ items: [] })
    gone.abort(new Error('the watchdog ended it'))
    await expect(first).rejects.toThrow('the watchdog ended it')
  })

  test('a connection that is reset in a call fails the call; a closed idle one does not', async () => {
    await using proxied = await openProxied()
    const { own, proxy } = proxied
    await own.requests.request(list)
    proxy.cut('fin')
    await expect.poll(() => proxy.open()).toBe(0)
    expect(await own.requests.request(list)).toMatchObject({ items: [] })
    const watch = own.watches.watch({ path: list.path, query: { watch: true } }, () => {})[Symbol.asyncIterator]()
    const next = watch.next()
    await expect.poll(() => proxy.open()).toBe(2)
    proxy.cut('reset')
    await expect(next).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'connection' })
  })
})
