// What probes ask: is the process alive, can it serve. Each check is named, so that a red one says what is missing.
import type { Core } from '#core/context.ts'
import { runChecks } from '#core/platform/process/health-checks.ts'
import { Router } from 'express'
import { apiChecks } from '../../checks.ts'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

/** `/livez` answers while the event loop turns; `/readyz` also asks the database, without which nothing works, whether it takes changes, the object store,
 *  and the folder of uploads. */
export function health(core: Core, spoolDir: string): Router {
  const router = Router({ caseSensitive: true })
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const { ok, status, checks } = await runChecks(apiChecks(core, spoolDir))
    // Whoever can reach the API may ask; addresses and names of our servers are told on the port for metrics.
    const named = Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, { ok: check.ok }]))
    response.status(ok ? 200 : 503).json({ status, checks: named })
  })
  for (const path of ['/livez', '/readyz']) refuseOtherMethods(router, path, ['get'])
  return router
}
