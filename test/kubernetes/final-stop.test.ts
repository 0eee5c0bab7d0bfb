// What the last controller leaves behind: objects that can be deleted without it.
import { expect, test } from 'vitest'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { condition, operatorWorld, promptly } from '../support/servers/operator-world.ts'

const DEPLOYMENTS: Resource = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' }
const NAME = 'sealwright-controller'
/** A start, not a change, for which the contract has a time. */
const STARTED_WITHIN_MS = 20_000
const OURS = 'sealwright.io/subscription'

const world = await operatorWorld({ SEALWRIGHT_KUBE_DEPLOYMENT: NAME })
const { kube, namespace } = world

async function scale(replicas: number): Promise<void> {
  const contentType = 'application/apply-patch+yaml'
  const labels = { app: NAME }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'controller', image: 'sealwright' }] } }
  const spec = { replicas, selector: { matchLabels: labels }, template }
  const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: NAME }, spec }
  const path = objectPath(DEPLOYMENTS, namespace, NAME)
  await kube.requests.request({ method: 'PATCH', path, query: { fieldManager: 'test' }, contentType, body })
}

/** The finalizers of the object after one controller has run and stopped. */
async function afterOneRun(): Promise<readonly string[]> {
  const operator = await world.start()
  await promptly(async () => {
    const object = await world.object('held')
    expect([condition(object, 'Ready'), object?.metadata.finalizers]).toEqual(['True Ready', expect.arrayContaining([OURS])])
  }, STARTED_WITHIN_MS)
  await operator[Symbol.asyncDispose]()
  return (await world.object('held'))?.metadata.finalizers ?? []
}

test('a controller that others follow keeps the finalizers; the last one of its Deployment or namespace removes them', async () => {
  await world.create('held', {}, { finalizers: ['example.com/other'] })
  await scale(2)
  expect(await afterOneRun()).toEqual(['example.com/other', OURS])
  await scale(0)
  expect(await afterOneRun()).toEqual(['example.com/other'])
  await scale(1)
  expect(await afterOneRun()).toEqual(['example.com/other', OURS])
  // Without Kubernetes' own controllers the namespace stays, marked for deletion.
  await kube.requests.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` })
  const operator = await world.start()
  await promptly(async () => expect(operator.isLeader()).toBe(true), STARTED_WITHIN_MS)
  await operator[Symbol.asyncDispose]()
  expect((await world.object('held'))?.metadata.finalizers).toEqual(['example.com/other'])
})
