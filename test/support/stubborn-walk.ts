// Many envelopes as stubborn clients take them through the ceremony: whatever fails is tried again until it is acknowledged.
import { setTimeout as delay } from 'node:timers/promises'
import { newProgress, type Progress, walk } from './crash-walk.ts'
import type { DevJson } from './running-service.ts'

const PAUSE_MS = 100
let clients = 0

export interface WalkOptions {
  envelopes: number
  /** At a time. */
  concurrency: number
  /** Then the walk has failed. */
  withinMs: number
}

/** Takes every envelope to its last signature and answers what was acknowledged. Throws with the last fault of the first client that did not make it. */
export async function walkStubbornly(dev: DevJson, pdf: Buffer, options: WalkOptions): Promise<Progress[]> {
  const until = performance.now() + options.withinMs
  const all = Array.from({ length: options.envelopes }, () => newProgress(process.pid * 10_000 + clients++))
  const waiting = [...all]
  const lanes = Array.from({ length: options.concurrency }, async () => {
    for (let progress = waiting.shift(); progress; progress = waiting.shift()) await walkOne(dev, pdf, progress, until)
  })
  await Promise.all(lanes)
  return all
}

async function walkOne(dev: DevJson, pdf: Buffer, progress: Progress, until: number): Promise<void> {
  for (;;) {
    try {
      return await walk(dev, pdf, progress)
    } catch (error) {
      if (performance.now() > until) throw error
      await delay(PAUSE_MS)
    }
  }
}
