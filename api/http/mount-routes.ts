// Puts the routes into Express: who may, what came in, the handler, the answer. A path that is known but not for this method says so.
import type { Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { authenticate } from './authenticate.ts'
import type { Method, Route, UploadRoute } from './define-route.ts'
import { readJsonBody } from './json-body.ts'
import { originOf } from './origin.ts'
import { admitToPanel, assertFromOwnPage } from './panel-session.ts'
import { parseInput } from './parse-input.ts'
import { receiveUpload, type UploadLimits } from './receive-upload.ts'
import { sessionCookie } from './session-cookie.ts'

const NO_QUERY = z.object({})
const NO_BODY = z.undefined()

/** A router with every route, and 405 with `Allow` for the other methods of their paths. */
export function mountRoutes(core: Core, routes: readonly Route[], limits: UploadLimits): Router {
  const router = Router({ caseSensitive: true })
  for (const route of routes) {
    router[route.method](route.path, async (request, response) => {
      response.set('Cache-Control', 'no-store')
      answer(response, route, await run(core, route, request, response, limits))
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

async function run(core: Core, route: Route, request: Request, response: Response, limits: UploadLimits): Promise<unknown> {
  if (route.audience === 'organisation upload') return runUpload(core, route, request, limits)
  if (route.audience === 'organisation') {
    const caller = await authenticate(core, request)
    return route.handle({ ...(await readInput(core, route, request, response)), caller })
  }
  if (route.audience === 'panel') {
    const caller = await admitToPanel(core, request, route.access)
    const cookie = sessionCookie(core.settings.publicUrl, request, response)
    return route.handle({ ...(await readInput(core, route, request, response)), caller, cookie })
  }
  if (route.audience === 'panel entry') {
    assertFromOwnPage(core.settings.publicUrl, request)
    const cookie = sessionCookie(core.settings.publicUrl, request, response)
    return route.handle({ ...(await readInput(core, route, request, response)), cookie })
  }
  return route.handle(await readInput(core, route, request, response))
}

async function runUpload(core: Core, route: UploadRoute, request: Request, limits: UploadLimits): Promise<unknown> {
  const caller = await authenticate(core, request)
  const input = {
    core,
    caller,
    params: parseInput(route.params, request.params),
    query: parseInput(route.query ?? NO_QUERY, request.query),
  }
  await route.admit?.(input)
  await using file = await receiveUpload(request, limits)
  return await route.handle({ ...input, file })
}

async function readInput(core: Core, route: Exclude<Route, UploadRoute>, request: Request, response: Response) {
  return {
    core,
    origin: originOf(request),
    params: parseInput(route.params, request.params),
    query: parseInput(route.query ?? NO_QUERY, request.query),
    body: parseInput(route.body ?? NO_BODY, route.body && (await readJsonBody(request, response, route.maxBodyBytes))),
  }
}

function answer(response: Response, { success }: Route, result: unknown): void {
  if (success === 204) response.status(204).end()
  else response.status(success).json(result)
}

function methodsByPath(routes: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>()
  for (const { path, method } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
