// Two electors and one Lease on a real API server, each behind a proxy of its own.
import { expect, inject, onTestFinished, test } from 'vitest'
import { type Elector, type ElectorOptions, startElector } from '../../controller/runtime/leader-elector.ts'
import type { Lease } from '../../controller/runtime/lease.ts'
import { systemClock } from '../../controller/runtime/runtime-clock.ts'
import { objectPath } from '../../core/platform/kubernetes/kube-object.ts'
import { type Kube, openKube } from '../../core/platform/kubernetes/open-kube.ts'
import type { Logger } from '../../core/platform/log.ts'
import { type KubeProxy, startKubeProxy } from '../support/faults/kube-proxy.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'

const { name: namespace, kube: direct } = await kubeNamespace()
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
/** The defaults of the settings, divided by four. */
const TIMES = { durationMs: 4000, renewDeadlineMs: 2500, retryPeriodMs: 500 }

interface Member {
  proxy: KubeProxy
  kube: Kube
  elector: Elector
  /** When it led: begin and end by the clock of the test, and the transitions. */
  terms: { from: number; to?: number; transitions: number }[]
}

async function join(name: string, identity: string, options: Partial<ElectorOptions> = {}): Promise<Member> {
  const proxy = await startKubeProxy(inject('kubeconfig'))
  const kube = await openKube({ kubeconfig: proxy.kubeconfig })
  const terms: Member['terms'] = []
  const lead = async (signal: AbortSignal, transitions: number) => {
    const term: Member['terms'][number] = { from: performance.now(), transitions }
    terms.push(term)
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve())
    })
    term.to = performance.now()
  }
  const elector = startElector({ kube, namespace, name, identity, ...TIMES, clock: systemClock, log: silent, lead, ...options })
  onTestFinished(async () => {
    await elector[Symbol.asyncDispose]()
    await kube[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  })
  return { proxy, kube, elector, terms }
}

const readLease = (name: string) => direct.requests.request<Lease>({ method: 'GET', path: objectPath(LEASES, namespace, name) })

test('one of two leads, and the server accepts its times', async () => {
  const members = [await join('one-of-two', 'a'), await join('one-of-two', 'b')]
  await expect.poll(() => members.filter(({ elector }) => elector.isLeader()).length).toBe(1)
  const { spec } = await readLease('one-of-two')
  expect(spec).toMatchObject({ leaseDurationSeconds: 4, leaseTransitions: 1, renewTime: expect.stringMatching(/\.\d{6}Z$/) })
  await expect.poll(() => members.map(({ elector }) => elector.holder())).toEqual([spec.holderIdentity, spec.holderIdentity])
})

test('a leader without the API server steps down before the other leads', async () => {
  const first = await join('cut-off', 'a')
  await expect.poll(() => first.elector.isLeader()).toBe(true)
  const second = await join('cut-off', 'b')
  const cutAt = performance.now()
  first.proxy.fault = () => ({ kind: 'silence' })
  await expect.poll(() => second.elector.isLeader()).toBe(true)
  const [term] = first.terms
  expect(term?.to).toBeLessThan(second.terms[0]!.from)
  expect(term!.to! - cutAt).toBeLessThan(TIMES.renewDeadlineMs + 500)
  expect(second.terms[0]!.transitions).toBe(term!.transitions + 1)
  first.proxy.fault = () => undefined
  await expect.poll(() => first.elector.holder()).toBe('b')
  expect(first.elector.isLeader()).toBe(false)
})

test('a stop releases the Lease after the work, and the successor leads within 3 s with the times of a cluster', async () => {
  const times = { durationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 }
  let workEndedAt: number | undefined
  const work = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    // The last write of the work, behind a slow server.
    await direct.requests.request({ method: 'GET', path: '/version' })
    workEndedAt = performance.now()
  }
  const first = await join('stopped', 'a', { ...times, lead: work })
  await expect.poll(() => first.elector.isLeader()).toBe(true)
  const second = await join('stopped', 'b', times)
  await expect.poll(() => second.elector.holder()).toBe('a')
  const stoppedAt = performance.now()
  await first.elector[Symbol.asyncDispose]()
  const releasedAt = first.proxy.seen.findLast(({ method }) => method === 'PUT')!.at
  expect(releasedAt).toBeGreaterThan(workEndedAt!)
  await expect.poll(() => second.terms.length).toBe(1)
  expect(second.terms[0]!.from - stoppedAt).toBeLessThan(3000)
})

test('writes that the server throttles do not delay the renewal', async () => {
  const { proxy, kube, elector, terms } = await join('throttled', 'a')
  await expect.poll(() => elector.isLeader()).toBe(true)
  proxy.fault = ({ path }) => (path.includes('/configmaps') ? { kind: 'delay', ms: 2000 } : undefined)
  const body = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const writes = Array.from({ length: 60 }, (_, index) =>
    kube.requests.request({ method: 'POST', path, body: body(`throttled-${index}`) }),
  )
  await Promise.all(writes)
  expect([elector.isLeader(), terms.length, terms[0]?.to]).toEqual([true, 1, undefined])
  expect(elector.leaseAgeMs()).toBeLessThan(TIMES.renewDeadlineMs)
})

test('a forged Lease ends the leadership, and a deleted one does not lower the transitions', async () => {
  const { elector, terms } = await join('forged', 'a', { leastTransitions: async () => 20 })
  await expect.poll(() => elector.isLeader()).toBe(true)
  const path = objectPath(LEASES, namespace, 'forged')
  await direct.requests.request({ method: 'DELETE', path })
  await expect.poll(async () => readLease('forged').catch(() => undefined)).toMatchObject({ spec: { leaseTransitions: 21 } })
  const body = { spec: { holderIdentity: 'forger', leaseDurationSeconds: 1 } }
  await direct.requests.request({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body })
  await expect.poll(() => terms[0]?.to).toBeDefined()
  await expect.poll(() => terms.map(({ transitions }) => transitions)).toEqual([21, 22])
})
