// Puts the routes into Express. A path that is known but not for this method says so.
import { DomainError } from '#core/errors/domain-error.ts'
import { type Response, Router } from 'express'
import type { Method, Route } from './define-route.ts'
import { isFileAnswer, sendFile } from './file-answer.ts'
import { isOnceAnswer, sendOnceAnswer } from './idempotency.ts'
import { type RouteHost, runRoute } from './run-route.ts'

/** A router with every route, and 405 with `Allow` for the other methods of their paths. */
export function mountRoutes(host: RouteHost, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true })
  for (const route of routes) {
    router[route.method](route.path, async (request, response) => {
      response.set('Cache-Control', 'no-store')
      answer(response, route, await runRoute(host, route, request, response))
    })
  }
  for (const [path, methods] of methodsByPath(routes)) {
    router.all(path, (_request, response) => {
      response.set('Allow', methods.map((method) => method.toUpperCase()).join(', '))
      throw new DomainError('METHOD_NOT_ALLOWED')
    })
  }
  return router
}

function answer(response: Response, { success, produces }: Route, result: unknown): void {
  if (isOnceAnswer(result)) sendOnceAnswer(response, result)
  else if (success === 204) response.status(204).end()
  else if (produces && isFileAnswer(result)) sendFile(response, result)
  else response.status(success).json(result)
}

function methodsByPath(routes: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
