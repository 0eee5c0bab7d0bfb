// What the mirror does while one of the two stores is away, and who may write.
import { expect, inject, onTestFinished, test } from 'vitest'
import { outboxAgeSeconds } from '#core/mirror/outbox-age.ts'
import { openDatabase } from '#core/platform/postgres/client.ts'
import { runChecks } from '#core/platform/process/health-checks.ts'
import { freePort } from '../../hack/servers/free-port.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { readTransitions } from '#core/mirror/read-transitions.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { changeWebhook, deleteWebhookRow } from '#core/webhook/store.ts'
import { type Lease, LEASES } from '../../controller/runtime/lease.ts'
import { aWebhook } from '../support/builders/webhooks.ts'
import { startKubeProxy } from '../support/faults/kube-proxy.ts'
import { tcpFront } from '../support/faults/tcp-front.ts'
import { condition, operatorWorld, promptly } from '../support/servers/operator-world.ts'

const world = await operatorWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { core, orgId, database } = world

test('what changed while no controller ran is shown by the next one; the Lease passes on at once', async () => {
  await using first = await world.start()
  const id = await aWebhook(core, orgId)
  await promptly(async () => expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready'))
  await world.create('leaving')
  await promptly(async () => expect(condition(await world.object('leaving'), 'Ready')).toBe('True Ready'))
  const { uid = '' } = (await world.object('leaving'))?.metadata ?? {}
  const led = await readTransitions(core)
  await first[Symbol.asyncDispose]()
  const later = await aWebhook(core, orgId)
  await world.remove(`api-${id}`)
  await world.remove('leaving')
  // Its finalizer waits for a controller.
  expect((await world.object('leaving'))?.metadata.deletionTimestamp).toBeDefined()
  expect(await world.row({ uid })).toBeDefined()
  await using second = await world.start()
  await promptly(async () => {
    expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready')
    expect(condition(await world.object(`api-${later}`), 'Ready')).toBe('True Ready')
    expect([await world.object('leaving'), await world.row({ uid })]).toEqual([undefined, undefined])
  })
  expect(second.isLeader()).toBe(true)
  // The number of the first leader is refused from now on.
  expect(await readTransitions(core)).toBeGreaterThan(led)
  await expect(inFencedTransaction(core, { transitions: led }, async () => 'written')).rejects.toMatchObject({
    name: 'FencedError',
  })
  // A second process waits for its turn.
  await using third = await world.start()
  await second[Symbol.asyncDispose]()
  await promptly(async () => expect(third.isLeader()).toBe(true))
})

test('after a Lease was deleted or restored the next leader still has a higher number', async () => {
  const path = objectPath(LEASES, world.namespace, 'sealwright-controller')
  const { requests } = world.kube
  const restore = async () => {
    const lease = await requests.request<Lease>({ method: 'GET', path })
    await requests.request({ method: 'PUT', path, body: { ...lease, spec: { leaseTransitions: 1 } } })
  }
  for (const lose of [() => requests.request({ method: 'DELETE', path }), restore]) {
    const before = await readTransitions(core)
    await lose()
    await using operator = await world.start()
    await promptly(async () => expect(operator.isLeader()).toBe(true))
    await promptly(async () => expect(await readTransitions(core)).toBe(before + 1))
    expect(await requests.request<Lease>({ method: 'GET', path })).toMatchObject({ spec: { leaseTransitions: before + 1 } })
  }
})

test('many objects without rows are not deleted until a human accepts it', async () => {
  await using operator = await world.start()
  await promptly(async () => expect(operator.isLeader()).toBe(true))
  const ids = await Promise.all(Array.from({ length: 4 }, () => aWebhook(core, orgId)))
  for (const id of ids) await promptly(async () => expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready'))
  await database.owner.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    await sql`delete from webhooks where id = any(${ids})`
  })
  const problem = await promptly(async () => {
    const [found] = JSON.parse((await world.statusMap())?.['problems'] ?? '[]') as string[]
    expect(found).toMatch(/^4 of \d+ webhooks that were created in the panel are missing from the database/)
    return found ?? ''
  }, 20_000)
  expect(await Promise.all(ids.map((id) => world.object(`api-${id}`)))).not.toContain(undefined)
  const since = /accept-loss=(\S+)$/.exec(problem)?.[1]
  const path = `/api/v1/namespaces/${world.namespace}/configmaps/sealwright-status`
  const body = { metadata: { annotations: { 'sealwright.io/accept-loss': since } } }
  await world.kube.requests.request({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body })
  await promptly(async () => {
    for (const id of ids) expect(await world.object(`api-${id}`)).toBeUndefined()
  }, 10_000)
})

/** A pool whose server the test can take away. */
async function databaseBehindFront() {
  const front = tcpFront(await freePort(), Number(new URL(database.url).port))
  await front.open()
  const url = new URL(database.url)
  url.port = String(front.port)
  const pool = openDatabase({ url: url.href, pool: 5, role: 'sealwright_system' })
  onTestFinished(async () => {
    await front.close()
    await pool.end({ timeout: 1 })
  })
  return { front, pool }
}

test('while the database is away, a changed object says so once', async () => {
  const { front, pool } = await databaseBehindFront()
  await using operator = await world.start({ database: pool })
  await promptly(async () => expect(operator.isLeader()).toBe(true))
  await world.create('waiting')
  await promptly(async () => expect(condition(await world.object('waiting'), 'Ready')).toBe('True Ready'))
  await front.close()
  await world.patch('waiting', { spec: { description: 'meanwhile' } })
  await promptly(async () => expect(condition(await world.object('waiting'), 'Synced')).toBe('Unknown StoreUnavailable'), 20_000)
  const { resourceVersion } = (await world.object('waiting'))?.metadata ?? {}
  expect(operator.isLeader()).toBe(true)
  await front.open()
  await promptly(async () => {
    const object = await world.object('waiting')
    expect(condition(object, 'Synced')).toBe('True Synced')
    expect(object?.metadata.resourceVersion).not.toBe(resourceVersion)
    expect((await world.row({ uid: object?.metadata.uid ?? '' }))?.description).toBe('meanwhile')
  }, 30_000)
})

test('the controller starts and lives while the API server is away, and shows then what changed', async () => {
  await using proxy = await startKubeProxy(inject('kubeconfig'))
  proxy.fault = () => ({ kind: 'status', status: 503 })
  await using operator = await world.start({ kubeconfig: proxy.kubeconfig })
  const id = await aWebhook(core, orgId)
  await promptly(async () => expect((await runChecks(operator.ready)).checks['kubernetes']?.ok).toBe(false))
  expect((await runChecks(operator.ready)).ok).toBe(true)
  expect((await runChecks(operator.alive)).ok).toBe(true)
  proxy.fault = () => undefined
  await promptly(async () => expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready'), 60_000)
  proxy.fault = ({ isWatch }) => (isWatch ? undefined : { kind: 'status', status: 500 })
  const later = await aWebhook(core, orgId)
  await promptly(async () => expect(await outboxAgeSeconds(core)).toBeGreaterThan(1))
  proxy.fault = () => undefined
  await promptly(async () => expect(condition(await world.object(`api-${later}`), 'Ready')).toBe('True Ready'), 60_000)
  await promptly(async () => expect(await outboxAgeSeconds(core)).toBe(0))
})

test('a change that a silent watch hides delays no other: the object is read again', async () => {
  await using proxy = await startKubeProxy(inject('kubeconfig'))
  await using operator = await world.start({ kubeconfig: proxy.kubeconfig })
  const id = await aWebhook(core, orgId)
  await promptly(async () => expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready'), 20_000)
  expect(operator.isLeader()).toBe(true)
  proxy.muteWatches()
  await world.patch(`api-${id}`, { spec: { suspend: true } })
  await changeWebhook(database.system, orgId, id, { description: 'CRM' })
  await promptly(async () => {
    expect((await world.object(`api-${id}`))?.spec).toMatchObject({ description: 'CRM', suspend: true })
    expect((await world.row({ id }))?.suspended).toBe(true)
    // Sooner than the silence is noticed, which takes 45 s.
  }, 20_000)
})

test('while both stores are away nothing is inferred, and each change is carried out when both are back', async () => {
  const { front, pool } = await databaseBehindFront()
  await using proxy = await startKubeProxy(inject('kubeconfig'))
  await using operator = await world.start({ database: pool, kubeconfig: proxy.kubeconfig })
  const id = await aWebhook(core, orgId)
  await world.create('apart')
  for (const name of ['apart', `api-${id}`])
    await promptly(async () => expect(condition(await world.object(name), 'Ready')).toBe('True Ready'), 20_000)
  const { uid = '' } = (await world.object('apart'))?.metadata ?? {}
  await front.close()
  proxy.fault = () => ({ kind: 'status', status: 503 })
  proxy.resetWatches()
  await promptly(async () => expect(operator.isLeader()).toBe(false), 10_000)
  await world.remove('apart')
  await deleteWebhookRow(database.system, orgId, id)
  // The API server is back first: without the database no controller leads.
  proxy.fault = () => undefined
  await promptly(async () => expect((await runChecks(operator.ready)).checks['kubernetes']?.ok).toBe(true), 60_000)
  expect([operator.isLeader(), (await world.object('apart'))?.metadata.uid]).toEqual([false, uid])
  expect([await world.row({ uid }), await world.object(`api-${id}`)]).not.toContain(undefined)
  await front.open()
  await promptly(async () => {
    expect([await world.object('apart'), await world.row({ uid }), await world.object(`api-${id}`)]).toEqual(
      Array(3).fill(undefined),
    )
  }, 60_000)
})
