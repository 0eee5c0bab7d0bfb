// Runs one request through the layers of its route: authentication, rate limits, input validation, handler.
import type { Core } from '#core/context.ts'
import type { ReportPool } from '#core/audit-report/report-pool.ts'
import { clientNetworkOf } from '#core/account/rate/client-network.ts'
import type { Request, Response } from 'express'
import { z } from 'zod'
import { assertOwnOrganisation, OwnOrganisationQuery } from '../schemas/organisation.ts'
import { authenticate } from './auth/authenticate.ts'
import type { OrganisationRoute, PublicRoute, Route, UploadRoute } from './define-route.ts'
import { acceptedType, preferredLanguage } from './response/negotiate.ts'
import { authorizeThenReplay, handleOnce, idempotencyKeyOf, toKeyedRequest } from './idempotency.ts'
import { readJsonBody } from './body/json-body.ts'
import { clientInfoOf } from './auth/client-info.ts'
import { admitToPanel, assertFromOwnPage } from './auth/panel-session.ts'
import { parseInput } from './body/parse-input.ts'
import type { RateLimiter } from './middleware/rate-limiter.ts'
import type { UploadLimits } from './body/receive-upload.ts'
import { runUpload } from './run-upload.ts'
import { sessionCookie } from './auth/session-cookie.ts'

const NO_QUERY = z.object({})

/** The dependencies that routes share. */
export interface RouteHost {
  core: Core
  /** Draws audit reports on its own thread. */
  reports: ReportPool
  limitRates: RateLimiter
  uploads: UploadLimits
  /** How long the body of any other request may take. */
  bodySeconds: number
}

/** The handler's result. Rejects with what the layers or the handler threw. */
export async function runRoute(host: RouteHost, route: Route, request: Request, response: Response): Promise<unknown> {
  const { core } = host
  switch (route.audience) {
    case 'organisation upload':
      return runOrganisationUpload(host, route, request, response)
    case 'organisation':
      return runOrganisation(host, route, request, response)
    case 'panel': {
      const caller = await admitToPanel(core, request, route)
      const cookie = sessionCookie(core.settings.publicUrl, request, response)
      return route.handle({ ...(await readInput(host, route, request, response)), caller, cookie })
    }
    case 'panel entry': {
      assertFromOwnPage(core.settings.publicUrl, request)
      const cookie = sessionCookie(core.settings.publicUrl, request, response)
      return route.handle({ ...(await readInput(host, route, request, response)), cookie })
    }
    case 'signer':
    case 'public':
      break
  }
  return runPublic(host, route, request, response)
}

async function runOrganisation(
  host: RouteHost,
  route: OrganisationRoute,
  request: Request,
  response: Response,
): Promise<unknown> {
  const { core } = host
  const caller = await authenticate(core, request)
  await host.limitRates(route.rates, caller, response)
  assertOwnOrganisation(caller, parseInput(OwnOrganisationQuery, request.query).orgId)
  const key = idempotencyKeyOf(route, request)
  const input = await readInput(host, route, request, response, caller.origin)
  if (!key) return route.handle({ ...input, caller })
  const body: unknown = request.body
  const keyed = toKeyedRequest(route, caller, key, { params: input.params, content: [input.query, body] })
  const once = await handleOnce(core, route, request, keyed, (joined) => route.handle({ ...input, core: joined, caller }))
  return authorizeThenReplay(route, once, () => route.authorizeReplay?.({ ...input, caller }))
}

async function runOrganisationUpload(
  { core, limitRates, uploads }: RouteHost,
  route: UploadRoute,
  request: Request,
  response: Response,
): Promise<unknown> {
  const caller = await authenticate(core, request)
  await limitRates(route.rates, caller, response)
  assertOwnOrganisation(caller, parseInput(OwnOrganisationQuery, request.query).orgId)
  const input = {
    core,
    caller,
    accepted: acceptedType(route, request, response),
    params: parseInput(route.params, request.params),
    query: parseInput(route.query ?? NO_QUERY, request.query),
  }
  return runUpload(route, request, response, input, uploads)
}

async function runPublic(host: RouteHost, route: PublicRoute, request: Request, response: Response): Promise<unknown> {
  const { token } = request.params
  const network = clientNetworkOf(clientInfoOf(request).address ?? '')
  await host.limitRates(route.rates, { network, ...(typeof token === 'string' && { signingToken: token }) }, response)
  return route.handle(await readInput(host, route, request, response))
}

async function readInput(
  { core, reports, bodySeconds }: RouteHost,
  route: Exclude<Route, UploadRoute>,
  request: Request,
  response: Response,
  origin = clientInfoOf(request),
) {
  return {
    core,
    reports,
    origin,
    accepted: acceptedType(route, request, response),
    language: preferredLanguage(request),
    params: parseInput(route.params, request.params),
    query: route.query ? parseInput(route.query, request.query) : {},
    body: route.body && parseInput(route.body, await readJsonBody(request, response, bodySeconds, route.maxBodyBytes)),
  }
}
