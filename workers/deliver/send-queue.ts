// The deliveries that a process has leased: which of them is sent next, within the limits of process, organisations and webhooks, and how many more to lease.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Claim } from '#core/webhook/delivery/claim-store.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { growAhead, type Limited, newLimited, noteFull } from './ahead.ts'

/** Requests of a process at a time. */
export interface Places {
  most: number
  /** Of those, to slow webhooks, so that others have room. */
  mostSlow: number
}

export interface SendQueue {
  /** What to lease for the organisation now; undefined when there is no place, or enough waits for its places. */
  wishFor(orgId: OrgId): Omit<Claim, 'sender'> | undefined
  /** Adds what a claim has leased. */
  add(orgId: OrgId, jobs: readonly DeliveryJob[], now: number): void
  /** The next delivery that may be sent. It is open until it is closed. */
  next(): DeliveryJob | undefined
  /** Its request has ended: another delivery may take its place. */
  close(job: DeliveryJob): void
  /** It is not leased any more. */
  forget(job: DeliveryJob): void
  /** Its webhook gets none ahead until it answers quickly again. */
  slowDown(job: DeliveryJob): void
  /** Removes those that have not been sent since before then, and what is kept of organisations without any. The caller forgets them. */
  takeWaiting(before: number): DeliveryJob[]
}

/** Of an organisation, and of a webhook: more than are sent during a claim and the record of its deliveries. */
const MOST_AHEAD = 128
const MOST_WEBHOOK_AHEAD = 64

interface Waiting {
  job: DeliveryJob
  since: number
}

interface WebhookQueue extends Limited {
  /** Tests first. */
  waiting: Waiting[]
  /** Counts what was sent, so that webhooks take turns. */
  lastTurn: number
}

interface OrganisationQueue extends Limited {
  webhooks: Map<WebhookId, WebhookQueue>
}

export function newSendQueue({ most, mostSlow }: Places): SendQueue {
  const organisations = new Map<OrgId, OrganisationQueue>()
  const open = { all: 0, slow: 0 }
  let leasedSlow = 0
  let turn = 0
  const queuesOf = ({ orgId, webhookId }: DeliveryJob) => {
    const organisation = orInsert(organisations, orgId, newOrganisation)
    const webhook = orInsert(organisation.webhooks, webhookId, newWebhook)
    return { organisation, webhook }
  }
  const count = (job: DeliveryJob, counter: 'open' | 'leased', by: 1 | -1): void => {
    const { organisation, webhook } = queuesOf(job)
    organisation[counter] += by
    webhook[counter] += by
    if (counter === 'open') open.all += by
    if (job.isSlow && counter === 'open') open.slow += by
    if (job.isSlow && counter === 'leased') leasedSlow += by
  }
  const maySend = (webhook: WebhookQueue): boolean => {
    const [first] = webhook.waiting
    return first !== undefined && webhook.open < webhook.mayOpen && (!first.job.isSlow || open.slow < mostSlow)
  }
  const firstOf = ({ webhooks }: OrganisationQueue): WebhookQueue | undefined => {
    let first: WebhookQueue | undefined
    for (const each of webhooks.values()) if (maySend(each) && (!first || isBefore(each, first))) first = each
    return first
  }
  return {
    wishFor(orgId) {
      const organisation = organisations.get(orgId) ?? newOrganisation()
      if (open.all >= most || isSupplied(organisation)) return undefined
      growAhead(organisation, waitingOf(organisation), MOST_AHEAD)
      for (const webhook of organisation.webhooks.values()) growAhead(webhook, webhook.waiting.length, MOST_WEBHOOK_AHEAD)
      const quick = [...organisation.webhooks].filter(([, { ahead }]) => ahead > 0)
      return {
        places: most - open.all + organisation.ahead,
        slowPlaces: Math.max(0, mostSlow - leasedSlow),
        ahead: organisation.ahead,
        webhooksAhead: quick.map(([id, { ahead }]) => ({ id, ahead })),
      }
    },
    add(orgId, jobs, now) {
      for (const job of jobs) {
        const { organisation, webhook } = queuesOf(job)
        organisation.mayOpen = job.organisationMayOpen
        webhook.mayOpen = job.mayOpen
        count(job, 'leased', 1)
        const place = job.isTest ? webhook.waiting.findIndex((each) => !each.job.isTest) : -1
        webhook.waiting.splice(place < 0 ? webhook.waiting.length : place, 0, { job, since: now })
      }
      const organisation = organisations.get(orgId)
      if (!organisation) return
      noteFull(organisation)
      organisation.webhooks.forEach(noteFull)
    },
    next() {
      if (open.all >= most) return undefined
      for (const [orgId, organisation] of organisations) {
        const webhook = organisation.open < organisation.mayOpen ? firstOf(organisation) : undefined
        const first = webhook?.waiting.shift()
        if (!webhook || !first) continue
        webhook.lastTurn = ++turn
        count(first.job, 'open', 1)
        // To the end: organisations take turns.
        organisations.delete(orgId)
        organisations.set(orgId, organisation)
        return first.job
      }
      return undefined
    },
    close: (job) => count(job, 'open', -1),
    forget: (job) => count(job, 'leased', -1),
    slowDown: (job) => void (queuesOf(job).webhook.ahead = 0),
    takeWaiting(before) {
      const taken: DeliveryJob[] = []
      for (const [orgId, organisation] of organisations) {
        if (organisation.leased === 0) organisations.delete(orgId)
        for (const webhook of organisation.webhooks.values()) {
          const late = webhook.waiting.filter(({ since }) => since < before)
          if (late.length === 0) continue
          webhook.waiting = webhook.waiting.filter(({ since }) => since >= before)
          organisation.ahead = webhook.ahead = 0
          taken.push(...late.map(({ job }) => job))
        }
      }
      return taken
    },
  }
}

const newOrganisation = (): OrganisationQueue => ({ ...newLimited(), webhooks: new Map() })
const newWebhook = (): WebhookQueue => ({ ...newLimited(), waiting: [], lastTurn: 0 })

/** All its places are taken, and as many deliveries can take them next. */
function isSupplied({ open, mayOpen, webhooks }: OrganisationQueue): boolean {
  if (open === 0 || open < mayOpen) return false
  let ready = 0
  for (const webhook of webhooks.values()) ready += Math.min(webhook.waiting.length, Math.max(0, webhook.mayOpen - webhook.open))
  return ready >= mayOpen
}

function waitingOf({ webhooks }: OrganisationQueue): number {
  let waiting = 0
  for (const webhook of webhooks.values()) waiting += webhook.waiting.length
  return waiting
}

/** The one with fewer open requests, and of these the one that had its last turn before. */
function isBefore(one: WebhookQueue, other: WebhookQueue): boolean {
  return one.open === other.open ? one.lastTurn < other.lastTurn : one.open < other.open
}

function orInsert<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key)
  if (found) return found
  const made = make()
  map.set(key, made)
  return made
}
