// Which route took a request, for logs, metrics and traces.
import type { Request } from 'express'

/** The pattern of the route that took the request: there are as many as routes, whatever paths are asked for. */
export function routeLabelOf(request: Request): string {
  const route: unknown = request.route
  if (typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string') return route.path
  return 'none'
}
