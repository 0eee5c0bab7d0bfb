// Registers the routes with Express.
import { type Response, Router } from 'express'
import type { Route } from './define-route.ts'
import { isFileResponse, sendFile } from './response/file-response.ts'
import { isIdempotentResponse, sendIdempotentResponse } from './idempotency.ts'
import { refuseOtherMethods } from './middleware/refuse-other-methods.ts'
import { type RouteHost, runRoute } from './run-route.ts'

/** A router with every route, and 405 with `Allow` for the other methods of their paths. */
export function mountRoutes(host: RouteHost, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true })
  // Grouped by path: otherwise a method that a path lacks would match a later path with a parameter.
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

/** Skips Express' caching, ETag and content-type work for JSON. */
function sendJson(response: Response, status: number, value: unknown): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(value))
}
