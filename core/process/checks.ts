// Named checks of a process: a red one says what is missing.

const CHECK_TIMEOUT_MS = 2_000

/** Each resolves when it is well and throws one sentence when it is not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

export interface CheckReport {
  ok: boolean
  status: 'ok' | 'unavailable'
  checks: Record<string, { ok: boolean; error?: string }>
}

/** Runs all checks side by side; one that does not answer in time has failed. */
export async function runChecks(checks: Checks): Promise<CheckReport> {
  const entries = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await within(check)] as const))
  const ok = entries.every(([, result]) => result.ok)
  return { ok, status: ok ? 'ok' : 'unavailable', checks: Object.fromEntries(entries) }
}

async function within(check: () => Promise<unknown>): Promise<{ ok: boolean; error?: string }> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  try {
    await Promise.race([check(), timeout])
    return { ok: true }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
