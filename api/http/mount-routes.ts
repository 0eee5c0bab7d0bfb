// Puts the routes into Express. A path that is known but not for this method says so.
import { type Response, Router } from 'express'
import type { Route } from './define-route.ts'
import { isFileResponse, sendFile } from './response/file-response.ts'
import { isIdempotentResponse, sendIdempotentResponse } from './idempotency.ts'
import { refuseOtherMethods } from './middleware/refuse-other-methods.ts'
import { type RouteHost, runRoute } from './run-route.ts'

/** A router with every route, and 405 with `Allow` for the other methods of their paths. */
export function mountRoutes(host: RouteHost, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true })
  // Path by path, so that a method which a path lacks does not fall through to one with a parameter in its place.
  for (const [path, routesOfPath] of Map.groupBy(routes, ({ path }) => path)) {
    for (const route of routesOfPath) {
      router[route.method](path, async (request, response) => {
        response.setHeader('Cache-Control', 'no-store')
        answer(response, route, await runRoute(host, route, request, response))
      })
    }
    const methods = routesOfPath.map(({ method }) => method)
    refuseOtherMethods(router, path, methods)
  }
  return router
}

function answer(response: Response, { success, produces }: Route, result: unknown): void {
  if (isIdempotentResponse(result)) sendIdempotentResponse(response, result)
  else if (success === 204) response.status(204).end()
  else if (produces && isFileResponse(result)) sendFile(response, result)
  else sendJson(response, success, result)
}

/** Without what Express does for answers that may be stored, compared or of another type. */
function sendJson(response: Response, status: number, value: unknown): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(value))
}
