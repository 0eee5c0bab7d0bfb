// What a node drain does to pods: it evicts them within their PodDisruptionBudgets, while envelopes are signed.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assertSealedOnce } from '../../support/invariants/sealed-in-release.ts'
import { pdfFixture } from '../../support/builders/pdf-fixtures.ts'
import { installEvaluation, type Release } from '../../support/clients/kind-release.ts'
import { signSteadily } from '../../support/clients/steady-envelopes.ts'

const NAMESPACE = 'kind-eviction'
const COMPONENTS = ['api', 'worker', 'relay', 'controller']
const REPLICAS = 2
/** A drain repeats an eviction that the budget does not allow yet. */
const EVICTED = { timeout: 180_000, interval: 1000 }

let release: Release
beforeAll(async () => {
  const replicas = COMPONENTS.flatMap((name) => ['--set', `${name}.replicas=${REPLICAS}`])
  release = await installEvaluation(NAMESPACE, undefined, ...replicas)
})
afterAll(() => release.cluster.deleteNamespace())

interface Pods {
  items: { metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string } }[]
}
async function podsOf(component: string): Promise<string[]> {
  const { items } = await release.cluster.read<Pods>('pods')
  const ours = items.filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component)
  return ours.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
}

/** The answer of the API server: empty when the pod goes. */
async function evict(name: string): Promise<string> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } }
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`
  return (await release.cluster.createRaw(path, eviction)).stderr
}

test('when every pod is evicted, one of each component stays at any time, and no request fails', async () => {
  const clients = signSteadily(release.dev, await readFile(pdfFixture('libreoffice.pdf')), 2)
  const before = new Map(await Promise.all(COMPONENTS.map(async (name) => [name, await podsOf(name)] as const)))
  let refusals = 0
  for (const [component, [first = '', second = '']] of before) {
    expect([component, await evict(first)]).toEqual([component, ''])
    await expect
      .poll(async () => {
        const answer = await evict(second)
        if (answer.includes('disruption budget')) refusals++
        return answer
      }, EVICTED)
      .toBe('')
  }
  for (const [component, evicted] of before) {
    const left = async () => (await podsOf(component)).filter((name) => evicted.includes(name))
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
    const ready = await release.cluster.kubectl('rollout', 'status', `deployment/sealwright-${component}`, '--timeout', '180s')
    expect(ready).toMatchObject({ exitCode: 0 })
  }
  const { signed, failures } = await clients.stop()
  console.log(`${signed.length} envelopes signed, ${failures.length} requests failed, ${refusals} evictions had to wait`)
  expect(failures).toEqual([])
  // The second pod of each component has to wait for the replacement of the first.
  expect(refusals).toBeGreaterThanOrEqual(COMPONENTS.length)
  expect(signed.length).toBeGreaterThan(10)
  await assertSealedOnce(release, signed)
})
