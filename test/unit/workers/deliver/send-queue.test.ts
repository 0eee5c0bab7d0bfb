import { DeliveryId, newId, OrgId, WebhookId } from '#core/ids.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { describe, expect, test } from 'vitest'
import { SendQueue } from '../../../../workers/deliver/send-queue.ts'

const ORG = newId(OrgId)
const [ONE, OTHER] = [newId(WebhookId), newId(WebhookId)]
const NOW = 1_000

function aJob(overrides: Partial<DeliveryJob> = {}): DeliveryJob {
  return {
    orgId: ORG,
    id: newId(DeliveryId),
    webhookId: ONE,
    attempts: 1,
    failures: 0,
    outages: 0,
    released: 0,
    takenAt: new Date(0),
    waitedSeconds: 0,
    traceParent: null,
    eventId: 'event',
    eventType: 'envelope.sent',
    body: '{}',
    isTest: false,
    isSlow: false,
    mayOpen: 4,
    organisationMayOpen: 16,
    url: 'https://receiver.example/',
    secretBox: Buffer.alloc(0),
    previousSecretBox: null,
    ...overrides,
  }
}
const jobs = (count: number, overrides?: Partial<DeliveryJob>) => Array.from({ length: count }, () => aJob(overrides))

/** Takes everything that may be sent. */
function takeAll(queue: SendQueue): DeliveryJob[] {
  const taken: DeliveryJob[] = []
  for (let job = queue.next(); job; job = queue.next()) taken.push(job)
  return taken
}

/** Sends one after the other. */
function finishAll(queue: SendQueue): void {
  for (let job = queue.next(); job; job = queue.next()) {
    queue.close(job)
    queue.release(job)
  }
}

function aQueue(added: readonly DeliveryJob[], limits = { max: 200, maxSlow: 50 }): SendQueue {
  const queue = new SendQueue(limits)
  queue.add(ORG, added, NOW)
  return queue
}

describe('open at a time are', () => {
  test.each([
    ['as many as the webhook may have', jobs(10), undefined, 4],
    ['as many as the claim left to this process', jobs(10, { mayOpen: 1 }), undefined, 1],
    [
      'as many as the organisation may have',
      [...jobs(4, { organisationMayOpen: 6 }), ...jobs(4, { webhookId: OTHER, organisationMayOpen: 6 })],
      undefined,
      6,
    ],
    ['as many as the process has places', jobs(10), { max: 3, maxSlow: 1 }, 3],
    [
      'of slow webhooks as many as the process has places for them',
      [...jobs(2, { isSlow: true }), ...jobs(2, { webhookId: OTHER })],
      { max: 9, maxSlow: 1 },
      3,
    ],
  ])('%s', (_, added, limits, expected) => {
    const queue = aQueue(added, limits)
    const open = takeAll(queue)
    expect(open).toHaveLength(expected)
    expect(takeAll(queue)).toEqual([])
  })

  test('one more when a request ends, before its record', () => {
    const added = jobs(5)
    const queue = aQueue(added)
    const [first] = takeAll(queue)
    queue.close(first!)
    expect(queue.next()).toBe(added[4])
  })
})

describe('next comes', () => {
  test('a test before what its webhook has waiting', () => {
    const urgent = aJob({ isTest: true })
    const queue = aQueue(jobs(2))
    queue.add(ORG, [urgent], NOW)
    expect(queue.next()).toBe(urgent)
  })

  test('a webhook with fewer open requests', () => {
    const other = aJob({ webhookId: OTHER })
    const queue = aQueue([...jobs(3), other])
    queue.next()
    expect(queue.next()).toBe(other)
  })

  test('another organisation in turn', () => {
    const orgId = newId(OrgId)
    const queue = aQueue(jobs(2))
    queue.add(orgId, [aJob({ orgId })], NOW)
    expect([queue.next(), queue.next()].map((job) => job?.orgId)).toEqual([ORG, orgId])
  })
})

describe('a claim wants', () => {
  test('prefetches nothing at first, then more each time that all were sent before it, up to a limit', () => {
    const queue = new SendQueue({ max: 200, maxSlow: 50 })
    const seen: number[] = []
    for (let claim = 0; claim < 7; claim++) {
      const size = queue.claimSize(ORG)
      const prefetch = size?.webhookPrefetch[0]?.prefetch ?? 0
      seen.push(prefetch)
      queue.add(ORG, jobs(4 + prefetch), NOW)
      finishAll(queue)
    }
    expect(seen).toEqual([0, 4, 8, 16, 32, 64, 64])
  })

  test('prefetches nothing for a webhook that failed', () => {
    const queue = aQueue(jobs(4))
    finishAll(queue)
    expect(queue.claimSize(ORG)?.webhookPrefetch).toEqual([{ id: ONE, prefetch: 4 }])
    queue.slowDown(aJob())
    queue.add(ORG, jobs(1), NOW)
    expect(queue.claimSize(ORG)?.webhookPrefetch).toEqual([])
  })

  test('nothing while the process has no place, or all places of the organisation are taken and as many wait for them', () => {
    const full = aQueue(jobs(2), { max: 2, maxSlow: 1 })
    takeAll(full)
    expect(full.claimSize(ORG)).toBeUndefined()
    const enough = aQueue([...jobs(8, { organisationMayOpen: 4 }), ...jobs(4, { webhookId: OTHER, organisationMayOpen: 4 })])
    takeAll(enough)
    expect(enough.claimSize(ORG)).toBeUndefined()
  })
})

test('what has waited since before a time is taken out, and nothing is prefetched for its webhook', () => {
  const added = jobs(6)
  const queue = aQueue(added)
  const open = takeAll(queue)
  expect(queue.takeWaiting(NOW)).toEqual([])
  expect(queue.takeWaiting(NOW + 1)).toEqual(added.slice(4))
  queue.close(open[0]!)
  expect(queue.next()).toBeUndefined()
})
