// Named checks of a process: a failed one says what is wrong, and whether the process can still serve requests.
import { withTimeout } from './with-timeout.ts'

const CHECK_TIMEOUT_MS = 2_000

export interface Check {
  /** Resolves when healthy, throws one sentence otherwise. */
  ask: () => Promise<unknown>
  /** True: when it fails, the process is not ready and must get no requests. */
  required: boolean
}

export type Checks = Readonly<Record<string, Check>>

/** A check of something the process cannot work without. */
export function required(ask: Check['ask']): Check {
  return { ask, required: true }
}

/** A check of something the process can miss for a while: work waits, or takes longer. */
export function optional(ask: Check['ask']): Check {
  return { ask, required: false }
}

export interface CheckReport {
  /** Whether every required check passed. */
  ok: boolean
  status: 'ok' | 'degraded' | 'unavailable'
  checks: Record<string, { ok: boolean; error?: string }>
}

/** Runs all checks in parallel; one that does not respond in time has failed. */
export async function runChecks(checks: Checks): Promise<CheckReport> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, { ask, required: isNeeded }]) => ({ name, isNeeded, result: await within(ask) })),
  )
  const red = entries.filter(({ result }) => !result.ok)
  const ok = red.every(({ isNeeded }) => !isNeeded)
  return {
    ok,
    status: ok ? (red.length === 0 ? 'ok' : 'degraded') : 'unavailable',
    checks: Object.fromEntries(entries.map(({ name, result }) => [name, result])),
  }
}

async function within(ask: Check['ask']): Promise<{ ok: boolean; error?: string }> {
  try {
    await withTimeout(ask(), CHECK_TIMEOUT_MS)
    return { ok: true }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}
