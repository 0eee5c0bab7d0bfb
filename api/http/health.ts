// What probes ask: is the process alive, can it serve. Each check is named, so that a red one says what is missing.
import type { Core } from '#core/context.ts'
import { runChecks } from '#core/process/checks.ts'
import { Router } from 'express'
import { refuseOtherMethods } from './refuse-other-methods.ts'

/** `/livez` answers while the event loop turns; `/readyz` also asks the database and the object store. */
export function health(core: Core): Router {
  const router = Router({ caseSensitive: true })
  router.get('/livez', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const { ok, ...report } = await runChecks({
      database: () => core.database`select 1`,
      storage: () => core.storage.stat('readiness'),
    })
    response.status(ok ? 200 : 503).json(report)
  })
  for (const path of ['/livez', '/readyz']) refuseOtherMethods(router, path, ['get'])
  return router
}
