// Liveness and readiness. Each check is named, so that a failure shows which dependency is missing.
import type { Core, SystemCore } from '#core/context.ts'
import { coreChecks } from '#core/installation/health-checks.ts'
import { type Checks, optional, runChecks } from '#core/platform/process/health-checks.ts'
import { probeWritable } from '#core/platform/storage/files/probe-writable.ts'
import { Router } from 'express'
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

/** The readiness checks. A failed optional one leaves a part working: reads without a writable database, signing without uploads. `spoolDir` receives uploads. */
export function apiChecks(core: Pick<SystemCore, 'database' | 'storage'>, spoolDir: string): Checks {
  return { ...coreChecks(core, { changes: optional }), uploads: optional(() => probeWritable(spoolDir)) }
}
