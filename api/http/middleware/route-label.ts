// The route of a request, for logs, metrics and traces.
import type { Request } from 'express'

/** The route's pattern, not the path: the number of labels stays bounded. */
export function routeLabelOf(request: Request): string {
  const route: unknown = request.route
  if (typeof route === 'object' && route !== null && 'path' in route && typeof route.path === 'string') return route.path
  return 'none'
}
