// Named checks of a process: a red one says what is missing, and whether the process can still serve without it.
import { withTimeout } from './with-timeout.ts'

const CHECK_TIMEOUT_MS = 2_000

export interface Check {
  /** Resolves when it is well and throws one sentence when it is not. */
  ask: () => Promise<unknown>
  /** True: without it the process serves nothing, and is to get no requests. */
  required: boolean
}

export type Checks = Readonly<Record<string, Check>>

/** What a process cannot do without. */
export function required(ask: Check['ask']): Check {
  return { ask, required: true }
}

/** What a process can do without for a while: work waits, or takes longer. */
export function optional(ask: Check['ask']): Check {
  return { ask, required: false }
}

export interface CheckReport {
  /** Whether everything required is well. */
  ok: boolean
  status: 'ok' | 'degraded' | 'unavailable'
  checks: Record<string, { ok: boolean; error?: string }>
}

/** Runs all checks side by side; one that does not answer in time has failed. */
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
