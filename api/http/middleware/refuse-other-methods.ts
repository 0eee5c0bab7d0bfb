// A path that is known but not for this method says so. RFC 9110, 15.5.6.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Response, Router } from 'express'
import type { Method } from '../define-route.ts'

/** 405 with `Allow` for every method of the path that is not among these; to be called after they are routed. */
export function refuseOtherMethods(router: Router, path: string, methods: readonly Method[]): void {
  router.all(path, (_request, response) => refuseMethod(response, methods))
}

/** Throws METHOD_NOT_ALLOWED; the answer names those that are. */
export function refuseMethod(response: Response, methods: readonly Method[]): never {
  response.set('Allow', methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '))
  throw new DomainError('METHOD_NOT_ALLOWED')
}
