// Many envelopes, processed by clients that retry every failure until it is acknowledged.
import { setTimeout as delay } from 'node:timers/promises'
import { newProgress, type Progress, walk } from './crash-walk.ts'
import type { DevJson } from '../servers/running-service.ts'

const PAUSE_MS = 200
let clients = 0

export interface WalkOptions {
  envelopes: number
  /** Concurrent clients. */
  concurrency: number
  /** Spreads the envelopes' starts over this time; absent: each starts as soon as a client is free. */
  overMs?: number
  /** What the last envelopes wait for before they start. */
  last?: { envelopes: number; after: Promise<void> }
  /** Then the run has failed. */
  withinMs: number
}

export interface RetryingClient {
  /** Everything acknowledged so far. */
  all: Progress[]
  /** How often a client had to restart. */
  failures: number
  /** Rejects with the last error of the first client that did not finish. */
  finished: Promise<void>
}

/** Starts to take every envelope to its last signature. */
export function startRetryingClient(dev: DevJson, pdf: Buffer, options: WalkOptions): RetryingClient {
  const startedAt = performance.now()
  const all = Array.from({ length: options.envelopes }, () => newProgress(process.pid * 10_000 + clients++))
  const state: RetryingClient = { all, failures: 0, finished: Promise.resolve() }
  const waiting = all.map((progress, index) => ({ progress, index }))
  const running = Array.from({ length: options.concurrency }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await mayBegin(next.index, startedAt, options)
      await walkOne(dev, pdf, next.progress, startedAt + options.withinMs, () => state.failures++)
    }
  })
  state.finished = Promise.all(running).then(() => {})
  return state
}

async function mayBegin(index: number, startedAt: number, { envelopes, overMs = 0, last }: WalkOptions): Promise<void> {
  await delay(Math.max(0, startedAt + (overMs * index) / envelopes - performance.now()))
  if (last && index >= envelopes - last.envelopes) await last.after
}

/** Takes every envelope to its last signature and returns what was acknowledged. */
export async function walkWithRetries(dev: DevJson, pdf: Buffer, options: WalkOptions): Promise<Progress[]> {
  const { all, finished } = startRetryingClient(dev, pdf, options)
  await finished
  return all
}

async function walkOne(dev: DevJson, pdf: Buffer, progress: Progress, until: number, failed: () => void): Promise<void> {
  for (;;) {
    try {
      return await walk(dev, pdf, progress)
    } catch (error) {
      failed()
      if (performance.now() > until) throw error
      await delay(PAUSE_MS)
    }
  }
}
