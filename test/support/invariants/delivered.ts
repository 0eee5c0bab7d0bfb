// What must hold for the deliveries of every envelope that was finished, whatever died meanwhile: each event was accepted, always with the same bytes and a
// valid signature, and its delivery ended once.
import { deepEqual, ok } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import Stripe from 'stripe'
import type { Progress } from '../clients/crash-walk.ts'
import type { Arrival, SubscribedReceiver } from '../faults/subscribed-receiver.ts'

/** Of an envelope with two signers. */
const TYPES = ['envelope.completed', 'envelope.sent', 'signer.signed', 'signer.signed', 'signer.viewed', 'signer.viewed']
/** Between the signature and the arrival, on a busy machine. */
const SIGNED_WITHIN_SECONDS = 30

interface PlannedDelivery {
  envelopeId: string
  eventId: string
  type: string
  body: string
  status: string
  accepted: number
}

/** Waits until no delivery is left, then compares the database with what the receiver got. Returns how many events were accepted more than once. */
export async function assertDelivered(
  databaseUrl: string,
  walked: readonly Progress[],
  receiver: SubscribedReceiver,
  withinMs: number,
): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const ids = walked.map(({ envelopeId }) => envelopeId ?? '')
    await untilNoneIsLeft(sql, ids, withinMs)
    const planned = await readDeliveries(sql, ids)
    const arrivals = Map.groupBy(receiver.arrivals, ({ eventId }) => eventId)
    const typesOf = Map.groupBy(planned, ({ envelopeId }) => envelopeId)
    for (const id of ids) deepEqual((typesOf.get(id) ?? []).map(({ type }) => type).toSorted(), TYPES)
    for (const delivery of planned) assertArrived(delivery, arrivals.get(delivery.eventId) ?? [], receiver.secret())
    return planned.filter(({ eventId }) => acceptedOf(arrivals.get(eventId) ?? []).length > 1).length
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const acceptedOf = (arrivals: readonly Arrival[]) => arrivals.filter(({ isAccepted }) => isAccepted)

function assertArrived(
  { eventId, type, body, status, accepted }: PlannedDelivery,
  arrivals: readonly Arrival[],
  secret: string,
): void {
  deepEqual({ eventId, status, accepted }, { eventId, status: 'DELIVERED', accepted: 1 })
  ok(acceptedOf(arrivals).length > 0, `${type} ${eventId} was not received`)
  for (const arrival of arrivals) {
    deepEqual(arrival.body, body, `the bytes of ${type}`)
    const { id } = Stripe.webhooks.constructEvent(
      arrival.body,
      arrival.signature,
      secret,
      SIGNED_WITHIN_SECONDS,
      undefined,
      arrival.atMs,
    )
    deepEqual(id, eventId)
    const t = Number(/^t=(\d+),/.exec(arrival.signature)?.[1])
    // The library accepts any time in the future.
    ok(t * 1000 - arrival.atMs < SIGNED_WITHIN_SECONDS * 1000, `signed at ${t}, received at ${arrival.atMs / 1000}`)
  }
}

async function untilNoneIsLeft(sql: postgres.Sql, ids: readonly string[], withinMs: number): Promise<void> {
  for (const until = performance.now() + withinMs; ; await delay(100)) {
    const left =
      await sql`select state, attempts, failures, last_error from delivery_jobs where envelope_id = any(${ids}::uuid[])`
    if (left.length === 0) return
    if (performance.now() > until) throw new Error(`Deliveries are left: ${JSON.stringify(left)}`)
  }
}

/** `accepted`: attempts in the history that the receiver accepted. */
async function readDeliveries(sql: postgres.Sql, ids: readonly string[]): Promise<PlannedDelivery[]> {
  return sql<PlannedDelivery[]>`
    select e.envelope_id as "envelopeId", e.id as "eventId", e.type, e.body, d.status,
      (select count(*)::int from jsonb_array_elements(d.attempts) attempt where attempt -> 'failure' is null) as accepted
    from events e
    left join deliveries d on d.org_id = e.org_id and d.event_id = e.id
    where e.envelope_id = any(${ids}::uuid[])`
}
