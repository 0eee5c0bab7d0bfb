// What probes ask: is the process alive, can it serve. Each check is named, so that a red one says what is missing.
import type { Core } from '#core/context.ts'
import { Router } from 'express'
import { refuseOtherMethods } from './refuse-other-methods.ts'

const CHECK_TIMEOUT_MS = 2_000

type Check = { ok: boolean; error?: string }

/** `/livez` answers while the event loop turns; `/readyz` also asks the database and the object store. */
export function health(core: Core): Router {
  const router = Router({ caseSensitive: true })
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const [database, storage] = await Promise.all([within(core.database`select 1`), within(core.storage.stat('readiness'))])
    const ok = database.ok && storage.ok
    response.status(ok ? 200 : 503).json({ status: ok ? 'ok' : 'unavailable', checks: { database, storage } })
  })
  for (const path of ['/livez', '/readyz']) refuseOtherMethods(router, path, ['get'])
  return router
}

async function within(work: PromiseLike<unknown>): Promise<Check> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  try {
    await Promise.race([work, timeout])
    return { ok: true }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
