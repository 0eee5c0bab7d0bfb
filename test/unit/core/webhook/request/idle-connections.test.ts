import type { Connection } from '#core/webhook/request/connection.ts'
import { newIdleConnections } from '#core/webhook/request/idle-connections.ts'
import { afterEach, expect, test, vi } from 'vitest'

const ORIGIN = 'https://hook.example.com'
const ADDRESS = '93.184.215.14'
const MINUTE_MS = 60_000

afterEach(() => vi.restoreAllMocks())

function newConnection(address = ADDRESS): Connection {
  let isOpen = true
  return {
    address,
    openedAt: performance.now(),
    isOpen: () => isOpen,
    destroy: () => (isOpen = false),
  } as unknown as Connection
}

test('the connection that has waited longest makes room', () => {
  const idle = newIdleConnections(2)
  const connections = [newConnection(), newConnection(), newConnection()]
  for (const each of connections) idle.keep(ORIGIN, each)
  expect(connections.map((each) => each.isOpen())).toEqual([false, true, true])
})

test('the connection that was used last is taken first, and only once', () => {
  const idle = newIdleConnections(4)
  const [first, second] = [newConnection(), newConnection()]
  idle.keep(ORIGIN, first)
  idle.keep(ORIGIN, second)
  const take = () => idle.take(ORIGIN, [ADDRESS])
  expect([take(), take(), take()]).toEqual([second, first, undefined])
})

test('a connection that has closed is not taken', () => {
  const idle = newIdleConnections(4)
  const [closed, forgotten] = [newConnection(), newConnection()]
  idle.keep(ORIGIN, closed)
  idle.keep(ORIGIN, forgotten)
  closed.destroy()
  idle.forget(forgotten)
  expect(idle.take(ORIGIN, [ADDRESS])).toBeUndefined()
})

test.each([
  ['younger than five minutes is kept', 5 * MINUTE_MS - 1, true],
  ['five minutes old is closed', 5 * MINUTE_MS, false],
])('a connection %s', (_, age, isKept) => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const idle = newIdleConnections(4)
  const connection = newConnection()
  now.mockReturnValue(1_000 + age)
  idle.keep(ORIGIN, connection)
  expect(connection.isOpen()).toBe(isKept)
  expect(idle.take(ORIGIN, [ADDRESS])).toBe(isKept ? connection : undefined)
})

test('after disposal none is kept', () => {
  const idle = newIdleConnections(4)
  const [before, after] = [newConnection(), newConnection()]
  idle.keep(ORIGIN, before)
  idle[Symbol.dispose]()
  idle.keep(ORIGIN, after)
  expect([before.isOpen(), after.isOpen()]).toEqual([false, false])
})
