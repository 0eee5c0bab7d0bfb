// Permits of this process. Small lots are taken from the shared buckets and handed out without a round trip; a lot lives one second, and what is
// left of it goes back with the next. What a bucket has granted is gone from it, so replicas together never grant more than it held.
import type { Sql } from '#core/postgres/client.ts'
import { nextLot, type Rate } from './rules.ts'
import { type Taken, takePermits } from './store.ts'

/** By this process' monotonic clock. */
const LOT_LIVES_MS = 1_000
/** For how long an empty bucket is believed empty at most: under a flood the database is asked a few times a second. */
const REFUSAL_LIVES_MS = 200
/** Buckets remembered at once; the least recently used one is forgotten first, with what is left of its lot. */
const MOST_BUCKETS = 10_000

export interface Verdict {
  granted: boolean
  /** What is left for everybody, as far as this process knows. */
  remaining: number
  /** Permits of the last 60 seconds, as far as this process knows. */
  recent: number
  /** How long to wait after a refusal. */
  retryAfterMs: number
}

export interface Permits {
  /** Takes one permit of the subject's bucket. Rejects when the database cannot be asked. */
  take(rate: Rate, subject: string): Promise<Verdict>
}

/** Permits by way of `sql`; one for each process. */
export function openPermits(sql: Sql): Permits {
  const buckets = new Map<string, Bucket>()
  return {
    take: (rate, subject) => take(bucketOf(buckets, `${rate.name} ${subject}`), (lot) => takePermits(sql, rate, subject, lot)),
  }
}

interface Bucket {
  /** The last answer of the database. */
  last: Taken
  unused: number
  answeredAt: number
  livesUntil: number
  refusedUntil: number
  waiting: number
  /** The question that is under way; everybody else waits for its answer. */
  asking: Promise<void> | undefined
}

type Ask = (lot: { wanted: number; returned: number }) => Promise<Taken>

async function take(bucket: Bucket, ask: Ask): Promise<Verdict> {
  const known = verdictOf(bucket)
  if (known) return known
  bucket.waiting++
  try {
    for (;;) {
      bucket.asking ??= refill(bucket, ask).finally(() => (bucket.asking = undefined))
      await bucket.asking
      const verdict = verdictOf(bucket)
      if (verdict) return verdict
    }
  } finally {
    bucket.waiting--
  }
}

/** Undefined when the database has to be asked. */
function verdictOf(bucket: Bucket): Verdict | undefined {
  const now = performance.now()
  if (bucket.unused > 0 && now < bucket.livesUntil) return handOut(bucket)
  return now < bucket.refusedUntil ? refusal(bucket, now) : undefined
}

function handOut(bucket: Bucket): Verdict {
  bucket.unused--
  const { remaining, recent } = bucket.last
  return { granted: true, remaining: remaining + bucket.unused, recent: recent - bucket.unused, retryAfterMs: 0 }
}

function refusal({ last, answeredAt }: Bucket, now: number): Verdict {
  const { remaining, recent } = last
  return { granted: false, remaining, recent, retryAfterMs: Math.max(0, answeredAt + last.retryAfterMs - now) }
}

async function refill(bucket: Bucket, ask: Ask): Promise<void> {
  const { last, unused, waiting } = bucket
  const lot = { taken: last.granted, unused, fresh: performance.now() < bucket.livesUntil }
  bucket.unused = 0
  bucket.last = await ask({ wanted: nextLot(lot, last.remaining, waiting), returned: unused })
  const { granted, retryAfterMs } = bucket.last
  bucket.unused = granted
  bucket.answeredAt = performance.now()
  bucket.livesUntil = bucket.answeredAt + LOT_LIVES_MS
  if (granted === 0) bucket.refusedUntil = bucket.answeredAt + Math.min(retryAfterMs, REFUSAL_LIVES_MS)
}

function bucketOf(buckets: Map<string, Bucket>, key: string): Bucket {
  const bucket = buckets.get(key) ?? newBucket()
  // Last in the map is most recently used.
  if (!buckets.delete(key) && buckets.size >= MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
  buckets.set(key, bucket)
  return bucket
}

function newBucket(): Bucket {
  const last = { granted: 0, remaining: 0, recent: 0, retryAfterMs: 0 }
  return { last, unused: 0, answeredAt: 0, livesUntil: 0, refusedUntil: 0, waiting: 0, asking: undefined }
}
