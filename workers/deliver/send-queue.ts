// The deliveries that a process has leased: which of them is sent next, within the limits of process, organisations and webhooks, and how many more to lease.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Claim } from '#core/webhook/delivery/claim.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { growPrefetch, type Limited, newLimited, recordClaim } from './prefetch.ts'

/** Limits of the requests that a process may have open. */
export interface ConcurrencyLimits {
  max: number
  /** The most of those to slow webhooks, so that others have room. */
  maxSlow: number
}

/** Most deliveries that may wait of an organisation and of a webhook: more than are sent during a claim and the record of its deliveries. */
const MAX_PREFETCH = 128
const MAX_WEBHOOK_PREFETCH = 64

interface Waiting {
  job: DeliveryJob
  since: number
}

interface WebhookQueue extends Limited {
  /** Deliveries that wait, tests first. */
  waiting: Waiting[]
  /** Counts what was sent, so that webhooks take turns. */
  lastTurn: number
}

interface OrganisationQueue extends Limited {
  webhooks: Map<WebhookId, WebhookQueue>
}

export class SendQueue {
  readonly #limits: ConcurrencyLimits
  readonly #organisations = new Map<OrgId, OrganisationQueue>()
  readonly #open = { all: 0, slow: 0 }
  #leasedSlow = 0
  #turn = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  /** What to lease for the organisation now; undefined when there is no place, or enough waits for its places. */
  claimSize(orgId: OrgId): Omit<Claim, 'sender'> | undefined {
    const organisation = this.#organisations.get(orgId) ?? newOrganisation()
    const free = this.#limits.max - this.#open.all
    if (free <= 0 || hasEnough(organisation)) return undefined
    growPrefetch(organisation, waitingOf(organisation), MAX_PREFETCH)
    for (const webhook of organisation.webhooks.values()) growPrefetch(webhook, webhook.waiting.length, MAX_WEBHOOK_PREFETCH)
    const quick = [...organisation.webhooks].filter(([, { prefetch }]) => prefetch > 0)
    return {
      places: free + organisation.prefetch,
      slowPlaces: Math.max(0, this.#limits.maxSlow - this.#leasedSlow),
      prefetch: organisation.prefetch,
      webhookPrefetch: quick.map(([id, { prefetch }]) => ({ id, prefetch })),
    }
  }

  /** Adds what a claim has leased. */
  add(orgId: OrgId, jobs: readonly DeliveryJob[], now: number): void {
    for (const job of jobs) {
      const { organisation, webhook } = this.#queuesOf(job)
      organisation.mayOpen = job.organisationMayOpen
      webhook.mayOpen = job.mayOpen
      this.#countLeased(job, 1)
      const place = job.isTest ? webhook.waiting.findIndex((each) => !each.job.isTest) : -1
      webhook.waiting.splice(place < 0 ? webhook.waiting.length : place, 0, { job, since: now })
    }
    const organisation = this.#organisations.get(orgId)
    if (!organisation) return
    recordClaim(organisation)
    organisation.webhooks.forEach(recordClaim)
  }

  /** The next delivery that may be sent. It is open until it is closed. */
  next(): DeliveryJob | undefined {
    if (this.#open.all >= this.#limits.max) return undefined
    for (const [orgId, organisation] of this.#organisations) {
      const webhook = organisation.open < organisation.mayOpen ? this.#firstOf(organisation) : undefined
      const first = webhook?.waiting.shift()
      if (!webhook || !first) continue
      webhook.lastTurn = ++this.#turn
      this.#countOpen(first.job, 1)
      // To the end: organisations take turns.
      this.#organisations.delete(orgId)
      this.#organisations.set(orgId, organisation)
      return first.job
    }
    return undefined
  }

  /** Its request has ended: another delivery may take its place. */
  close(job: DeliveryJob): void {
    this.#countOpen(job, -1)
  }

  /** Removes a job that is not leased any more from the counts. */
  release(job: DeliveryJob): void {
    this.#countLeased(job, -1)
  }

  /** Prefetches nothing for its webhook until it answers quickly again. */
  slowDown(job: DeliveryJob): void {
    this.#queuesOf(job).webhook.prefetch = 0
  }

  /** Removes those that have not been sent since before then, and what is kept of organisations without any. The caller releases them. */
  takeWaiting(before: number): DeliveryJob[] {
    const taken: DeliveryJob[] = []
    for (const [orgId, organisation] of this.#organisations) {
      if (organisation.leased === 0) this.#organisations.delete(orgId)
      for (const webhook of organisation.webhooks.values()) {
        const late = webhook.waiting.filter(({ since }) => since < before)
        if (late.length === 0) continue
        webhook.waiting = webhook.waiting.filter(({ since }) => since >= before)
        organisation.prefetch = webhook.prefetch = 0
        taken.push(...late.map(({ job }) => job))
      }
    }
    return taken
  }

  #queuesOf({ orgId, webhookId }: DeliveryJob) {
    const organisation = orInsert(this.#organisations, orgId, newOrganisation)
    return { organisation, webhook: orInsert(organisation.webhooks, webhookId, newWebhook) }
  }

  #countOpen(job: DeliveryJob, by: 1 | -1): void {
    const { organisation, webhook } = this.#queuesOf(job)
    organisation.open += by
    webhook.open += by
    this.#open.all += by
    if (job.isSlow) this.#open.slow += by
  }

  #countLeased(job: DeliveryJob, by: 1 | -1): void {
    const { organisation, webhook } = this.#queuesOf(job)
    organisation.leased += by
    webhook.leased += by
    if (job.isSlow) this.#leasedSlow += by
  }

  #firstOf({ webhooks }: OrganisationQueue): WebhookQueue | undefined {
    let first: WebhookQueue | undefined
    for (const each of webhooks.values()) if (this.#maySend(each) && (!first || isBefore(each, first))) first = each
    return first
  }

  #maySend({ waiting: [first], open, mayOpen }: WebhookQueue): boolean {
    return first !== undefined && open < mayOpen && (!first.job.isSlow || this.#open.slow < this.#limits.maxSlow)
  }
}

const newOrganisation = (): OrganisationQueue => ({ ...newLimited(), webhooks: new Map() })
const newWebhook = (): WebhookQueue => ({ ...newLimited(), waiting: [], lastTurn: 0 })

/** Whether all its places are taken, and as many deliveries can take them next. */
function hasEnough({ open, mayOpen, webhooks }: OrganisationQueue): boolean {
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
