// Liveness and readiness. Each check is named, so that a failure shows which dependency is missing.
import type { Core } from '#core/context.ts'
import { runChecks } from '#core/platform/process/health-checks.ts'
import { Router } from 'express'
import { apiChecks } from '../../checks.ts'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

/** `/livez` answers while the event loop runs; `/readyz` also checks the database, whether it is writable, the object store and the upload folder. */
export function health(core: Core, spoolDir: string): Router {
  const router = Router({ caseSensitive: true })
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const { ok, status, checks } = await runChecks(apiChecks(core, spoolDir))
    // These endpoints are public; host names and addresses are only shown on the metrics port.
    const named = Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, { ok: check.ok }]))
    response.status(ok ? 200 : 503).json({ status, checks: named })
  })
  for (const path of ['/livez', '/readyz']) refuseOtherMethods(router, path, ['get'])
  return router
}
