// BucketCache of this process. Small lots are taken from the shared buckets and handed out without a round trip; a lot lives one second, and what is
// left of it goes back with the next. What a bucket has granted is gone from it, so replicas together never grant more than it held.
import type { Sql } from '#core/platform/postgres/client.ts'
import { nextBatch } from './rules.ts'
import { type Take, type Taken, takeTokens } from './store.ts'

/** By this process' monotonic clock. */
const LOT_LIVES_MS = 1_000
const LOT_RETURNS_MS = 2 * LOT_LIVES_MS
/** For how long an empty bucket is believed empty at most: under a flood the database is asked a few times a second. */
const REFUSAL_LIVES_MS = 200
/** Buckets remembered at once; the least recently used one is forgotten first, with what is left of its lot. */
const MOST_BUCKETS = 10_000

export interface Verdict {
  granted: boolean
  /** What is left for everybody, as far as this process knows. */
  remaining: number
  /** BucketCache of the last 60 seconds, as far as this process knows. */
  recent: number
  /** How long to wait after a refusal. */
  retryAfterMs: number
}

/** Whose permit of which rate. */
export type Claim = Pick<Take, 'rate' | 'subject'>

export interface BucketCache {
  /** Takes one permit of each bucket, in their order and until one refuses: its verdict is the last. Rejects when the database cannot be asked. */
  take(...claims: readonly Claim[]): Promise<Verdict[]>
}

/** BucketCache by way of `sql`; one for each process. */
export function openBucketCache(sql: Sql): BucketCache {
  const buckets = new Map<string, Bucket>()
  return {
    take: (...claims) =>
      takeEach(
        sql,
        claims.map((claim) => bucketOf(buckets, claim)),
      ),
  }
}

interface Bucket extends Claim {
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

async function takeEach(sql: Sql, [bucket, ...others]: readonly Bucket[]): Promise<Verdict[]> {
  if (!bucket) return []
  const verdict = verdictOf(bucket) ?? (await askFor(sql, bucket, others))
  return verdict.granted ? [verdict, ...(await takeEach(sql, others))] : [verdict]
}

/** Those of the others that have to be asked as well are asked along. Where `bucket` then refuses, what they gave is kept for the next. */
async function askFor(sql: Sql, bucket: Bucket, others: readonly Bucket[]): Promise<Verdict> {
  bucket.waiting++
  try {
    for (;;) {
      if (!bucket.asking) refill(sql, [bucket, ...others.filter((other) => !other.asking && !isKnown(other))])
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
  if (!isKnown(bucket)) return undefined
  return bucket.unused > 0 ? handOut(bucket) : refusal(bucket)
}

function isKnown({ unused, livesUntil, refusedUntil }: Bucket): boolean {
  return performance.now() < (unused > 0 ? livesUntil : refusedUntil)
}

function handOut(bucket: Bucket): Verdict {
  bucket.unused--
  const { remaining, recent } = bucket.last
  return { granted: true, remaining: remaining + bucket.unused, recent: recent - bucket.unused, retryAfterMs: 0 }
}

function refusal({ last, answeredAt }: Bucket): Verdict {
  const { remaining, recent } = last
  return { granted: false, remaining, recent, retryAfterMs: Math.max(0, answeredAt + last.retryAfterMs - performance.now()) }
}

/** Asks for all of them by one statement. */
function refill(sql: Sql, buckets: readonly [Bucket, ...Bucket[]]): void {
  const asking = ask(sql, buckets).finally(() => {
    for (const bucket of buckets) bucket.asking = undefined
  })
  for (const bucket of buckets) bucket.asking = asking
}

async function ask(sql: Sql, [first, ...others]: readonly [Bucket, ...Bucket[]]): Promise<void> {
  const answers = await takeTokens(sql, nextTake(first), ...others.map(nextTake))
  for (const [place, bucket] of [first, ...others].entries()) keep(bucket, answers[place])
}

function nextTake(bucket: Bucket): Take {
  const { rate, subject, last, unused, waiting } = bucket
  const age = performance.now() - bucket.answeredAt
  const lot = { taken: last.granted, unused, fresh: age < LOT_LIVES_MS }
  bucket.unused = 0
  // What lay about for longer has been refilled where it came from.
  const returned = age < LOT_RETURNS_MS ? unused : 0
  // Whoever asks along with another bucket is not waiting for this one yet.
  return { rate, subject, wanted: nextBatch(lot, last.remaining, Math.max(1, waiting)), returned }
}

function keep(bucket: Bucket, answer: Taken | undefined): void {
  if (!answer) throw new Error('No permits were counted.')
  const { granted, retryAfterMs } = (bucket.last = answer)
  bucket.unused = granted
  bucket.answeredAt = performance.now()
  bucket.livesUntil = bucket.answeredAt + LOT_LIVES_MS
  if (granted === 0) bucket.refusedUntil = bucket.answeredAt + Math.min(retryAfterMs, REFUSAL_LIVES_MS)
}

function bucketOf(buckets: Map<string, Bucket>, { rate, subject }: Claim): Bucket {
  const key = `${rate.name} ${subject}`
  const bucket = buckets.get(key) ?? newBucket({ rate, subject })
  // Last in the map is most recently used.
  if (!buckets.delete(key) && buckets.size >= MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
  buckets.set(key, bucket)
  return bucket
}

function newBucket(claim: Claim): Bucket {
  const last = { granted: 0, remaining: 0, recent: 0, retryAfterMs: 0 }
  return { ...claim, last, unused: 0, answeredAt: 0, livesUntil: 0, refusedUntil: 0, waiting: 0, asking: undefined }
}
