import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newEventObject, type RecordedEvent, shortened } from '../../../../controller/runtime/event.ts'
import { type EventRecorder, startEventRecorder } from '../../../../controller/runtime/event-recorder.ts'
import { KubeError, KubeUnreachable } from '../../../../core/platform/kubernetes/kube-error.ts'
import type { Logger } from '../../../../core/platform/log.ts'
import { FakeKubeClient } from '../../../support/fake-kube-client.ts'
import { FakeRuntimeClock, settle } from '../../../support/fake-runtime-clock.ts'

const MINUTE_MS = 60_000

let clock: FakeRuntimeClock
let client: FakeKubeClient
let recorder: EventRecorder
const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Logger

beforeEach(() => {
  vi.clearAllMocks()
  clock = new FakeRuntimeClock()
  client = new FakeKubeClient()
  client.answer = () => ({})
  const source = { controller: 'sealwright.io/controller', instance: 'pod-1' }
  recorder = startEventRecorder({ ...source, kube: { requests: client }, clock, log, random: () => 0 })
})
afterEach(async () => {
  const stopped = recorder[Symbol.asyncDispose]()
  await clock.advance(2000)
  await stopped
})

const regarding = (name = 'one') => ({
  apiVersion: 'sealwright.io/v1alpha1',
  kind: 'SigningKey',
  metadata: { namespace: 'ns', name, uid: `uid-${name}`, resourceVersion: '7' },
})
const eventOf = (note = 'Version 2 seals now.', name?: string): RecordedEvent => ({
  regarding: regarding(name),
  type: 'Normal',
  reason: 'KeyActivated',
  action: 'Activate',
  note,
})

/** The notes of what was written. */
const written = () => client.requests.map(({ method, body }) => `${method} ${(body as { note: string }).note}`)

describe('the event recorder', () => {
  test('creates an event of events.k8s.io/v1', async () => {
    recorder.record(eventOf())
    await settle()
    expect(client.requests).toEqual([
      {
        method: 'POST',
        path: '/apis/events.k8s.io/v1/namespaces/ns/events',
        signal: expect.any(AbortSignal),
        body: {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: expect.stringMatching(/^one\.[0-9a-f]{16}$/), namespace: 'ns' },
          eventTime: '2026-11-25T00:00:00.000000Z',
          reportingController: 'sealwright.io/controller',
          reportingInstance: 'pod-1',
          action: 'Activate',
          reason: 'KeyActivated',
          regarding: {
            apiVersion: 'sealwright.io/v1alpha1',
            kind: 'SigningKey',
            namespace: 'ns',
            name: 'one',
            uid: 'uid-one',
            resourceVersion: '7',
          },
          note: 'Version 2 seals now.',
          type: 'Normal',
        },
      },
    ])
  })

  test('writes an equal event again after six minutes, and another note or object at once', async () => {
    for (let count = 1; count <= 5; count++) recorder.record(eventOf())
    recorder.record(eventOf('Version 3 seals now.'))
    recorder.record(eventOf(undefined, 'other'))
    await clock.advance(6 * MINUTE_MS - 1)
    recorder.record(eventOf())
    expect(written()).toEqual(['POST Version 2 seals now.', 'POST Version 3 seals now.', 'POST Version 2 seals now.'])
    await clock.advance(1)
    recorder.record(eventOf())
    await settle()
    expect(written().slice(3)).toEqual(['POST Version 2 seals now.'])
  })

  test('tries again while the server is away, and drops the oldest of more than a thousand', async () => {
    client.answer = () => {
      throw new KubeUnreachable('connection', 'refused')
    }
    for (let index = 0; index < 1005; index++) recorder.record(eventOf(`note ${index}`, `object-${index}`))
    await clock.advance(1000)
    expect(written()).toEqual(['POST note 0', 'POST note 0'])
    client.answer = () => ({})
    await clock.advance(2000)
    expect(written().slice(2, 5)).toEqual(['POST note 0', 'POST note 5', 'POST note 6'])
    expect(client.requests.length).toBe(3 + 1000)
    expect(vi.mocked(log.warn).mock.calls.map(([, name]) => name)).toEqual(['events.dropped', 'events.not_written'])
  })

  test.each([
    { status: 409, tries: 1 },
    { status: 422, tries: 1 },
    { status: 404, tries: 1 },
    { status: 403, tries: 8 },
    { status: 500, tries: 8 },
  ])('gives up an event that the server answers with $status after $tries tries', async ({ status, tries }) => {
    client.answer = () => {
      throw new KubeError(status, 'Failed', 'failed')
    }
    recorder.record(eventOf())
    await clock.advance(10 * MINUTE_MS)
    expect(client.requests.length).toBe(tries)
  })

  test('a stop writes what waits, for at most two seconds, and accepts nothing any more', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    client.answer = () => promise
    recorder.record(eventOf())
    recorder.record(eventOf('second'))
    let isStopped = false
    const stopped = recorder[Symbol.asyncDispose]().then(() => (isStopped = true))
    await clock.advance(1000)
    expect(isStopped).toBe(false)
    resolve()
    await settle()
    await stopped
    recorder.record(eventOf('late'))
    await settle()
    expect([written(), clock.pendingTimers]).toEqual([['POST Version 2 seals now.', 'POST second'], 0])
  })

  test('a stop ends while the server is away', async () => {
    client.answer = () => {
      throw new KubeUnreachable('connection', 'refused')
    }
    recorder.record(eventOf())
    recorder.record(eventOf('second'))
    const stopped = recorder[Symbol.asyncDispose]()
    await clock.advance(2000)
    await stopped
    expect(clock.pendingTimers).toBe(0)
  })
})

test.each([
  { text: 'short', most: 10, is: 'short' },
  { text: 'a'.repeat(11), most: 10, is: `${'a'.repeat(7)}…` },
  { text: 'ü'.repeat(6), most: 10, is: `${'ü'.repeat(3)}…` },
])('a note of more than the limit is cut between characters: $text', ({ text, most, is }) => {
  expect(shortened(text, most)).toBe(is)
  expect(Buffer.byteLength(shortened(text, most))).toBeLessThanOrEqual(most)
})

test('the name of an event is never longer than 253 characters', () => {
  const long = { ...eventOf(), regarding: regarding('n'.repeat(253)) }
  const { metadata } = newEventObject(long, { controller: 'c', instance: 'i' }, { suffix: '0123456789abcdef', at: new Date(0) })
  expect([metadata.name.length, metadata.name.endsWith('.0123456789abcdef')]).toEqual([253, true])
})
