// Serves the descriptions of both interfaces, with this installation's address.
import { Router } from 'express'
import { describeApi, describePanel } from '../../openapi/document.ts'
import { refuseOtherMethods } from '../middleware/refuse-other-methods.ts'

/** `GET /openapi.json` and `GET /settings/api/openapi.json`; `publicUrl`: where clients reach this service. */
export function description(publicUrl: string): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, describe] of [
    ['/openapi.json', describeApi],
    ['/settings/api/openapi.json', describePanel],
  ] as const) {
    // Built on the first request, because most processes never serve it.
    let made: object | undefined
    router.get(path, (_request, response) => {
      made ??= describe(publicUrl)
      response.set('Cache-Control', 'no-cache').json(made)
    })
    refuseOtherMethods(router, path, ['get'])
  }
  return router
}
