// The reflector while its API server is killed and comes back. The file has a control plane of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openKube } from '#core/platform/kubernetes/open-kube.ts'
import { startControlPlane } from '../../hack/servers/kube-control-plane.ts'
import { reflectConfigMaps } from '../support/servers/reflected-config-maps.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-kube-restart-'))
const plane = await startControlPlane({ dataDir })
const direct = await openKube({ kubeconfig: plane.kubeconfig })
afterAll(async () => {
  await direct[Symbol.asyncDispose]()
  await plane.stop()
  await rm(dataDir, { recursive: true })
})

test('a killed API server that comes back costs no event and at most one list a kind', { timeout: 180_000 }, async () => {
  await using world = await reflectConfigMaps(plane.kubeconfig, direct)
  await using other = await reflectConfigMaps(plane.kubeconfig, direct)
  const worlds = [world, other]
  for (const { proxy } of worlds) await expect.poll(() => proxy.watches).toBe(1)
  await world.create('removed-later')
  for (const { proxy } of worlds) proxy.seen.length = 0
  const killedAt = performance.now()
  await plane.kill()
  for (const { proxy } of worlds) await expect.poll(() => proxy.seen.length).toBeGreaterThan(2)
  for (const { proxy } of worlds) expect(proxy.seen[0]!.at - killedAt).toBeLessThan(2000)
  await plane.restart()
  const readyAt = performance.now()
  await world.remove('removed-later')
  await world.create('created')
  await world.remove('created')
  await world.create('after')
  await other.create('after')
  for (const each of worlds) {
    await expect.poll(async () => (await each.names()).store).toEqual((await each.names()).server)
    expect(each.reflector.hasSynced()).toBe(true)
    expect(each.lists()).toBeLessThanOrEqual(1)
  }
  const keys = world.changes.filter(({ now }) => now === undefined).map(({ key }) => key)
  expect(keys).toContain(`${world.namespace}/removed-later`)
  // The longest delay after a few failures.
  expect(performance.now() - readyAt).toBeLessThan(30_000)
})

test('a version that the server no longer has leads to one list', { timeout: 180_000 }, async () => {
  await using world = await reflectConfigMaps(plane.kubeconfig, direct)
  await expect.poll(() => world.proxy.watches).toBe(1)
  await world.create('second')
  await plane.restart()
  // The server keeps no changes from before its start.
  await expect.poll(() => world.proxy.watches).toBe(1)
  world.proxy.fault = ({ isWatch }) => {
    if (!isWatch) return undefined
    world.proxy.fault = () => undefined
    return { kind: 'version', resourceVersion: '1' }
  }
  world.proxy.closeWatches()
  const before = world.lists()
  await expect.poll(() => world.lists()).toBe(before + 1)
  await world.create('third')
  await expect.poll(async () => (await world.names()).store).toEqual(['first', 'second', 'third'])
  expect(await world.failures()).toContain('expired')
  expect(world.lists()).toBe(before + 1)
})
