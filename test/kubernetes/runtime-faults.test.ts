// The reflector against a real API server behind a proxy with faults: whatever happened, the store ends equal to the server, with few lists.
import { type ExpectStatic, inject, test } from 'vitest'
import type { SeenRequest } from '../support/faults/kube-proxy.ts'
import { kubeNamespace } from '../support/servers/kube-server.ts'
import { type Reflected, reflectConfigMaps } from '../support/servers/reflected-config-maps.ts'

const { kube: direct } = await kubeNamespace()

interface Row {
  name: string
  happens: (world: Reflected, expect: ExpectStatic) => Promise<void>
  /** Lists after the first. */
  lists: number
  failures: string[]
}

const watching = (world: Reflected, expect: ExpectStatic) => expect.poll(() => world.proxy.watches).toBe(1)

/** Answers what the client sends with this status until `times` requests have got it. */
async function refuse(
  { world, expect }: { world: Reflected; expect: ExpectStatic },
  status: number,
  times: number,
  retryAfterSeconds?: number,
): Promise<SeenRequest[]> {
  const refused: SeenRequest[] = []
  world.proxy.fault = (request) => {
    refused.push(request)
    return { kind: 'status', status, ...(retryAfterSeconds && { retryAfterSeconds }) }
  }
  world.proxy.resetWatches()
  await expect.poll(() => refused.length).toBe(times)
  expect(world.reflector.hasSynced()).toBe(true)
  world.proxy.fault = () => undefined
  return refused
}

/** Once, to the next watch that continues. */
function onNextWatch(world: Reflected, fault: ReturnType<Reflected['proxy']['fault']>): void {
  world.proxy.fault = ({ isWatch }) => {
    if (!isWatch) return undefined
    world.proxy.fault = () => undefined
    return fault
  }
}

const errorLine = (code: number) =>
  `{"type":"ERROR","object":{"kind":"Status","code":${code},"reason":"Failed","message":"injected"}}\n`

const ROWS: Row[] = [
  {
    name: 'the server answers 429 and asks for two seconds',
    async happens(world, expect) {
      const refused = await refuse({ world, expect }, 429, 2, 2)
      expect(refused[1]!.at - refused[0]!.at).toBeGreaterThanOrEqual(2000)
    },
    lists: 0,
    failures: ['connection', 'throttled'],
  },
  {
    name: 'the server closes the watch again and again',
    async happens(world, expect) {
      for (let round = 0; round < 4; round++) {
        await watching(world, expect)
        await world.create(`round-${round}`)
        world.proxy.closeWatches()
        await expect.poll(() => world.proxy.watches).toBe(0)
      }
    },
    lists: 0,
    failures: [],
  },
  {
    name: 'the connection of the watch is cut',
    async happens(world) {
      world.proxy.resetWatches()
      await world.create('meanwhile')
    },
    lists: 0,
    failures: ['connection'],
  },
  {
    name: 'the watch hangs without a byte',
    async happens(world, expect) {
      world.proxy.muteWatches()
      await world.create('unseen')
      // Other connections work.
      const path = `/api/v1/namespaces/${world.namespace}/configmaps/unseen`
      await world.kube.requests.request({ method: 'GET', path })
      const before = world.proxy.seen.length
      world.clock.skip(44_000)
      expect([world.proxy.watches, world.proxy.seen.length]).toEqual([1, before])
      world.clock.skip(1500)
      await expect.poll(() => world.proxy.seen.length).toBe(before + 1)
    },
    lists: 0,
    failures: ['silent'],
  },
  {
    name: 'the server answers 410',
    async happens(world, expect) {
      onNextWatch(world, { kind: 'status', status: 410 })
      world.proxy.resetWatches()
      await world.remove('first')
      const deletions = () => world.changes.filter(({ now }) => now === undefined)
      await expect.poll(deletions).toMatchObject([{ key: `${world.namespace}/first`, relisted: true }])
    },
    lists: 1,
    failures: ['connection', 'expired'],
  },
  {
    name: 'the watch says 410',
    async happens(world) {
      world.proxy.inject(errorLine(410))
      await world.remove('first')
    },
    lists: 1,
    failures: ['expired'],
  },
  {
    name: 'the watch says 500',
    happens: async (world) => world.proxy.inject(errorLine(500)),
    lists: 0,
    failures: ['server'],
  },
  {
    name: 'a line is cut',
    async happens(world) {
      world.proxy.inject('{"type":"ADDED","obj')
      world.proxy.closeWatches()
    },
    lists: 0,
    failures: ['malformed'],
  },
  {
    name: 'an event has an unknown type',
    happens: async (world) => world.proxy.inject('{"type":"SURPRISE","object":{"metadata":{"name":"x"}}}\n'),
    lists: 0,
    failures: ['malformed'],
  },
  {
    name: 'an object has two megabytes',
    async happens(world, expect) {
      const object = world.reflector.store.get(`${world.namespace}/first`)!
      const metadata = { ...object.metadata, labels: { size: 'large' } }
      world.proxy.inject(
        `${JSON.stringify({ type: 'MODIFIED', object: { ...object, metadata, data: { key: 'x'.repeat(2_000_000) } } })}\n`,
      )
      await expect.poll(() => world.reflector.store.get(`${world.namespace}/first`)?.data?.['key']?.length).toBe(2_000_000)
      await world.update('first', { key: 'small' })
      await expect.poll(() => world.reflector.store.get(`${world.namespace}/first`)?.data?.['key']).toBe('small')
    },
    lists: 0,
    failures: [],
  },
  {
    name: 'the server refuses us with 401',
    happens: async (world, expect) => void (await refuse({ world, expect }, 401, 2)),
    lists: 0,
    failures: ['connection', 'refused'],
  },
  {
    name: 'the server refuses us with 403',
    happens: async (world, expect) => void (await refuse({ world, expect }, 403, 2)),
    lists: 0,
    failures: ['connection', 'refused'],
  },
  {
    name: 'nothing happens for a minute',
    async happens(world, expect) {
      const watches = () => world.proxy.seen.filter(({ isWatch }) => isWatch)
      await expect.poll(() => watches().length, { timeout: 60_000, interval: 500 }).toBe(2)
      // The bookmark that the server sends before it ends a watch keeps a quiet one from being silent for too long.
      expect(watches()[1]!.at - watches()[0]!.at).toBeGreaterThan(34_000)
      expect(world.reflector.silentMs()).toBeLessThan(10_000)
    },
    lists: 0,
    failures: [],
  },
]

test.concurrent.for(ROWS)('when $name, the store follows the server', async ({ happens, lists, failures }, { expect }) => {
  await using world = await reflectConfigMaps(inject('kubeconfig'), direct)
  await watching(world, expect)
  await happens(world, expect)
  await world.create('after')
  await expect.poll(async () => (await world.names()).store).toContain('after')
  const { server, store } = await world.names()
  expect([store, world.lists() - 1]).toEqual([server, lists])
  expect(await world.failures()).toEqual(failures)
})
