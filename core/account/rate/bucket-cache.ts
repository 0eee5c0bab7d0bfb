// The token-bucket cache of this process. It takes small batches of tokens from the shared buckets and grants them without a round trip; a batch
// lives one second, and its rest is returned with the next. Taken tokens are gone from the bucket, so all replicas together never grant more than it
// held.
import type { Sql } from '#core/platform/postgres/client.ts'
import { nextBatch } from './rules.ts'
import { type Take, type Taken, takeTokens } from './store.ts'

/** Life of a batch, by this process's monotonic clock. */
const BATCH_LIVES_MS = 1_000
const BATCH_RETURNS_MS = 2 * BATCH_LIVES_MS
/** How long an empty bucket is assumed empty: under a flood the database gets a few queries a second. */
const EMPTY_FOR_MS = 200
/** Buckets in memory; the least recently used one is evicted first, with its unused tokens. */
const MOST_BUCKETS = 10_000

export interface Verdict {
  granted: boolean
  /** What is left in the shared bucket, as far as this process knows. */
  remaining: number
  /** Tokens of the last 60 seconds, as far as this process knows. */
  recent: number
  /** How long to wait after a rejection. */
  retryAfterMs: number
}

/** The rate and the subject that a token counts for. */
export type Claim = Pick<Take, 'rate' | 'subject'>

export interface BucketCache {
  /** Takes one token of each bucket, in order, until one rejects: its verdict is the last. Rejects when the database is unavailable. */
  take(...claims: readonly Claim[]): Promise<Verdict[]>
}

/** A cache of the buckets in `sql`; one per process. */
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
  /** The last result from the database. */
  last: Taken
  unused: number
  answeredAt: number
  livesUntil: number
  emptyUntil: number
  waiting: number
  /** The running query, whose result all concurrent callers await. */
  refilling: Promise<void> | undefined
}

async function takeEach(sql: Sql, [bucket, ...others]: readonly Bucket[]): Promise<Verdict[]> {
  if (!bucket) return []
  const verdict = verdictOf(bucket) ?? (await refillAndTake(sql, bucket, others))
  return verdict.granted ? [verdict, ...(await takeEach(sql, others))] : [verdict]
}

/** Refills other buckets that need it in the same query. When `bucket` rejects, their tokens stay for the next caller. */
async function refillAndTake(sql: Sql, bucket: Bucket, others: readonly Bucket[]): Promise<Verdict> {
  bucket.waiting++
  try {
    for (;;) {
      if (!bucket.refilling) refill(sql, [bucket, ...others.filter((other) => !other.refilling && !isKnown(other))])
      await bucket.refilling
      const verdict = verdictOf(bucket)
      if (verdict) return verdict
    }
  } finally {
    bucket.waiting--
  }
}

/** Undefined when the database has to be queried. */
function verdictOf(bucket: Bucket): Verdict | undefined {
  if (!isKnown(bucket)) return undefined
  return bucket.unused > 0 ? handOut(bucket) : rejection(bucket)
}

function isKnown({ unused, livesUntil, emptyUntil }: Bucket): boolean {
  return performance.now() < (unused > 0 ? livesUntil : emptyUntil)
}

function handOut(bucket: Bucket): Verdict {
  bucket.unused--
  const { remaining, recent } = bucket.last
  return { granted: true, remaining: remaining + bucket.unused, recent: recent - bucket.unused, retryAfterMs: 0 }
}

function rejection({ last, answeredAt }: Bucket): Verdict {
  const { remaining, recent } = last
  return { granted: false, remaining, recent, retryAfterMs: Math.max(0, answeredAt + last.retryAfterMs - performance.now()) }
}

/** Refills all of them with one statement. */
function refill(sql: Sql, buckets: readonly [Bucket, ...Bucket[]]): void {
  const refilling = query(sql, buckets).finally(() => {
    for (const bucket of buckets) bucket.refilling = undefined
  })
  for (const bucket of buckets) bucket.refilling = refilling
}

async function query(sql: Sql, [first, ...others]: readonly [Bucket, ...Bucket[]]): Promise<void> {
  const answers = await takeTokens(sql, nextTake(first), ...others.map(nextTake))
  for (const [place, bucket] of [first, ...others].entries()) storeResult(bucket, answers[place])
}

function nextTake(bucket: Bucket): Take {
  const { rate, subject, last, unused, waiting } = bucket
  const age = performance.now() - bucket.answeredAt
  const batch = { taken: last.granted, unused, fresh: age < BATCH_LIVES_MS }
  bucket.unused = 0
  // Older tokens have been refilled in the shared bucket meanwhile.
  const returned = age < BATCH_RETURNS_MS ? unused : 0
  // A bucket that is refilled along with another has no waiting callers yet.
  return { rate, subject, wanted: nextBatch(batch, last.remaining, Math.max(1, waiting)), returned }
}

function storeResult(bucket: Bucket, answer: Taken | undefined): void {
  if (!answer) throw new Error('No tokens were counted.')
  const { granted, retryAfterMs } = (bucket.last = answer)
  bucket.unused = granted
  bucket.answeredAt = performance.now()
  bucket.livesUntil = bucket.answeredAt + BATCH_LIVES_MS
  if (granted === 0) bucket.emptyUntil = bucket.answeredAt + Math.min(retryAfterMs, EMPTY_FOR_MS)
}

function bucketOf(buckets: Map<string, Bucket>, { rate, subject }: Claim): Bucket {
  const key = `${rate.name} ${subject}`
  const bucket = buckets.get(key) ?? newBucket({ rate, subject })
  // The most recently used bucket is last in the map.
  if (!buckets.delete(key) && buckets.size >= MOST_BUCKETS) buckets.delete(buckets.keys().next().value ?? '')
  buckets.set(key, bucket)
  return bucket
}

function newBucket(claim: Claim): Bucket {
  const last = { granted: 0, remaining: 0, recent: 0, retryAfterMs: 0 }
  return { ...claim, last, unused: 0, answeredAt: 0, livesUntil: 0, emptyUntil: 0, waiting: 0, refilling: undefined }
}
