// 405 for a known path with another method. RFC 9110, 15.5.6.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Response, Router } from 'express'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** 405 with `Allow` for every other method of the path; call it after routing those methods. */
export function refuseOtherMethods(router: Router, path: string, methods: readonly Method[]): void {
  router.all(path, (_request, response) => refuseMethod(response, methods))
}

/** Throws METHOD_NOT_ALLOWED and lists the allowed methods in `Allow`. */
export function refuseMethod(response: Response, methods: readonly Method[]): never {
  response.set('Allow', methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '))
  throw new DomainError('METHOD_NOT_ALLOWED')
}
