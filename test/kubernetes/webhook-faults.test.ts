// What the mirror does while one of the two stores is away, and who may write.
import { expect, test } from 'vitest'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { readTransitions } from '#core/mirror/read-transitions.ts'
import { aWebhook } from '../support/builders/webhooks.ts'
import { condition, operatorWorld, promptly } from '../support/servers/operator-world.ts'

const world = await operatorWorld({ SEALWRIGHT_MIRROR_SWEEP_INTERVAL: '2s' })
const { core, orgId, database } = world

test('what changed while no controller ran is shown by the next one; the Lease passes on at once', async () => {
  const first = await world.start()
  const id = await aWebhook(core, orgId)
  await promptly(async () => expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready'))
  const led = await readTransitions(core)
  await first[Symbol.asyncDispose]()
  const later = await aWebhook(core, orgId)
  await world.remove(`api-${id}`)
  const second = await world.start()
  await promptly(async () => {
    expect(condition(await world.object(`api-${id}`), 'Ready')).toBe('True Ready')
    expect(condition(await world.object(`api-${later}`), 'Ready')).toBe('True Ready')
  })
  expect(second.isLeader()).toBe(true)
  // The number of the first leader is refused from now on.
  expect(await readTransitions(core)).toBeGreaterThan(led)
  await expect(inFencedTransaction(core, { transitions: led }, async () => 'written')).rejects.toMatchObject({
    name: 'FencedError',
  })
  // A second process waits for its turn.
  const third = await world.start()
  await second[Symbol.asyncDispose]()
  await promptly(async () => expect(third.isLeader()).toBe(true))
})

test('many objects without rows are not deleted until a human accepts it', async () => {
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

test('while the database is away, a changed object says so once', async () => {
  await world.create('waiting')
  await promptly(async () => expect(condition(await world.object('waiting'), 'Ready')).toBe('True Ready'))
  const name = new URL(database.url).pathname.slice(1)
  await database.owner.unsafe(`alter database ${name} allow_connections false`)
  await database.owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and pid <> pg_backend_pid()`
  await world.patch('waiting', { spec: { description: 'meanwhile' } })
  await promptly(async () => expect(condition(await world.object('waiting'), 'Synced')).toBe('Unknown StoreUnavailable'), 15_000)
  await database.owner.unsafe(`alter database ${name} allow_connections true`)
  await promptly(async () => {
    expect(condition(await world.object('waiting'), 'Synced')).toBe('True Synced')
    const uid = (await world.object('waiting'))?.metadata.uid ?? ''
    expect((await world.row({ uid }))?.description).toBe('meanwhile')
  }, 30_000)
})
