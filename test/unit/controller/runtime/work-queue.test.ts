import { register } from 'prom-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { type WorkQueue, newWorkQueue } from '../../../../controller/runtime/work-queue.ts'
import { FakeRuntimeClock, settle } from '../../../support/fake-runtime-clock.ts'

let clock: FakeRuntimeClock
let queue: WorkQueue
const never = new AbortController().signal

beforeEach(() => {
  clock = new FakeRuntimeClock()
  queue = newWorkQueue('things', clock, () => 0)
})

/** Takes what can be taken now. */
async function takeAll(): Promise<string[]> {
  const taken: string[] = []
  while (queue.depth() > 0) taken.push((await queue.take(never))!)
  return taken
}

/** Fails the key `times` times and returns the delays after which it came again. */
async function delaysOf(key: string, times: number): Promise<number[]> {
  const delays: number[] = []
  for (let round = 0; round < times; round++) {
    queue.retry(key)
    const failedAt = clock.elapsedMs()
    while (queue.depth() === 0) await clock.advance(100)
    delays.push(clock.elapsedMs() - failedAt)
    queue.done((await queue.take(never))!)
  }
  return delays
}

describe('the work queue', () => {
  test('holds a key once, in the order of the first arrival', async () => {
    for (const key of ['a', 'b', 'a', 'b']) queue.add(key)
    expect(await takeAll()).toEqual(['a', 'b'])
  })

  test.each([
    {
      name: 'live keys come before those of a resync',
      adds: [
        ['a', 'resync'],
        ['b', 'live'],
      ],
      order: ['b', 'a'],
    },
    {
      name: 'a change moves a key of a resync forward',
      adds: [
        ['a', 'resync'],
        ['b', 'resync'],
        ['b', 'live'],
      ],
      order: ['b', 'a'],
    },
    {
      name: 'a resync does not move a live key back',
      adds: [
        ['a', 'live'],
        ['b', 'live'],
        ['a', 'resync'],
      ],
      order: ['a', 'b'],
    },
  ] as const)('$name', async ({ adds, order }) => {
    for (const [key, priority] of adds) queue.add(key, priority)
    expect(await takeAll()).toEqual(order)
  })

  test('does not give a key away twice at the same time; what arrived meanwhile makes one more run', async () => {
    queue.add('a')
    await queue.take(never)
    queue.add('a', 'resync')
    queue.add('a', 'live')
    expect(queue.depth()).toBe(0)
    queue.done('a')
    queue.add('b', 'live')
    expect(await takeAll()).toEqual(['a', 'b'])
    queue.done('a')
    expect(queue.depth()).toBe(0)
  })

  test('wakes one waiting taker for each key', async () => {
    const takes = [queue.take(never), queue.take(never)]
    queue.add('a')
    expect(await Promise.race(takes)).toBe('a')
    queue.add('b')
    expect(new Set(await Promise.all(takes))).toEqual(new Set(['a', 'b']))
  })

  test('a taker that is aborted in the moment of its wake-up leaves the key to another', async () => {
    const stop = new AbortController()
    const [leaving, staying] = [queue.take(stop.signal), queue.take(never)]
    queue.add('a')
    stop.abort()
    expect([await leaving, await staying]).toEqual([undefined, 'a'])
  })

  test('a key that is due later waits without being counted, and comes at the earliest of its times', async () => {
    queue.addAfter('a', 5000)
    queue.addAfter('a', 2000)
    queue.addAfter('a', 9000)
    await clock.advance(1999)
    expect(queue.depth()).toBe(0)
    await clock.advance(1)
    expect(await takeAll()).toEqual(['a'])
    queue.done('a')
    await clock.advance(10_000)
    expect(queue.depth()).toBe(0)
    queue.addAfter('b', 0)
    expect(queue.depth()).toBe(1)
  })

  test('retries after 1 s, doubling up to 5 minutes; success starts again at 1 s', async () => {
    expect(await delaysOf('a', 10)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1000))
    queue.forget('a')
    expect(await delaysOf('a', 1)).toEqual([1000])
  })

  test('adds a random part to each delay', async () => {
    queue = newWorkQueue('things', clock, () => 1)
    expect(await delaysOf('a', 2)).toEqual([1300, 2500])
  })

  test('lets a burst of 100 keys retry together, and of more ten a second', async () => {
    for (let index = 0; index < 200; index++) queue.retry(`k${index}`)
    await clock.advance(1000)
    expect(queue.depth()).toBe(110)
    await clock.advance(5000)
    expect(queue.depth()).toBe(160)
  })

  test('ends all takers when disposed, and accepts nothing any more', async () => {
    const takes = [queue.take(never), queue.take(never)]
    queue.addAfter('a', 1000)
    queue[Symbol.dispose]()
    expect(await Promise.all(takes)).toEqual([undefined, undefined])
    queue.add('b')
    queue.retry('b')
    await clock.advance(10_000)
    expect([queue.depth(), clock.pendingTimers, await queue.take(never)]).toEqual([0, 0, undefined])
  })

  test('counts under the names of controller-runtime', async () => {
    queue = newWorkQueue('counted', clock, () => 0)
    queue.add('a')
    queue.add('b')
    clock.pause(2000)
    await queue.take(never)
    queue.retry('a')
    await settle()
    const lines = (await register.metrics()).split('\n').filter((line) => line.includes('name="counted"'))
    expect(lines).toEqual(
      expect.arrayContaining([
        'workqueue_depth{name="counted"} 1',
        'workqueue_adds_total{name="counted"} 2',
        'workqueue_retries_total{name="counted"} 1',
        'workqueue_queue_duration_seconds_sum{name="counted"} 2',
      ]),
    )
  })
})
