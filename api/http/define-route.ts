// A route is data: the router, the validator and the API description read the same object, so none can drift from another.
import type { Caller, Core, Origin, PersonCaller } from '#core/context.ts'
import type { ErrorCode } from '#core/errors/codes.ts'
import type { ReceivedFile } from '#core/document/upload-document.ts'
import type { z } from 'zod'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type Success = 200 | 201 | 204

interface RouteShape<Params, Query, Body> {
  operationId: string
  method: Method
  /** Express path; the path of the API description is derived. */
  path: `/${string}`
  params: Params
  query?: Query
  body?: Body
  /** Where a body may be larger than the usual 256 KiB. */
  maxBodyBytes?: number
  success: Success
  /** What a successful answer looks like; absent where it has no body. */
  response?: z.ZodType
  /** Every code that the use case may throw; 400, 401 and 403 come with the security and validation layers. */
  errors: readonly ErrorCode[]
}

interface Parsed<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  core: Core
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
  origin: Origin
}

/** An organisation's operation: an access token is due, and the handler learns who calls. */
export interface OrganisationRoute<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends RouteShape<Params, Query, Body> {
  audience: 'organisation'
  handle(request: Parsed<Params, Query, Body> & { caller: Caller }): Promise<unknown>
}

/** A signer's or anybody's operation: no token; where a signing token stands in the path, it is the credential. */
export interface PublicRoute<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends RouteShape<Params, Query, Body> {
  audience: 'signer' | 'public'
  handle(request: Parsed<Params, Query, Body>): Promise<unknown>
}

/** An organisation's upload: one multipart part named `file`, received to disk before the handler runs. */
export interface UploadRoute<Params extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> extends RouteShape<
  Params,
  Query,
  never
> {
  audience: 'organisation upload'
  /** Refuses before the body is read, where that can be known. */
  admit?(request: { core: Core; caller: Caller; params: z.output<Params>; query: z.output<Query> }): Promise<void>
  handle(request: {
    core: Core
    caller: Caller
    params: z.output<Params>
    query: z.output<Query>
    file: ReceivedFile
  }): Promise<unknown>
}

/** An operation of the panel: a session is due and, for every change, its CSRF token. */
export interface PanelRoute<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
> extends RouteShape<Params, Query, Body> {
  audience: 'panel'
  /** Who may: admins alone, or every member of the organisation. */
  access: 'admin' | 'member'
  handle(request: Parsed<Params, Query, Body> & { caller: PersonCaller }): Promise<unknown>
}

export type Route = OrganisationRoute | PublicRoute | UploadRoute

/** Ties the schemas' types to the arguments of an organisation's handler. */
export function defineOrganisationRoute<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  route: Omit<OrganisationRoute<Params, Query, Body>, 'audience'>,
): OrganisationRoute<Params, Query, Body> {
  return { ...route, audience: 'organisation' }
}

/** Ties the schemas' types to the arguments of a public handler. */
export function definePublicRoute<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  route: PublicRoute<Params, Query, Body>,
): PublicRoute<Params, Query, Body> {
  return route
}

/** Ties the schemas' types to the arguments of an upload's handler. */
export function defineUploadRoute<Params extends z.ZodType, Query extends z.ZodType>(
  route: Omit<UploadRoute<Params, Query>, 'audience'>,
): UploadRoute<Params, Query> {
  return { ...route, audience: 'organisation upload' }
}

/** Ties the schemas' types to the arguments of a panel's handler. */
export function definePanelRoute<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  route: Omit<PanelRoute<Params, Query, Body>, 'audience'>,
): PanelRoute<Params, Query, Body> {
  return { ...route, audience: 'panel' }
}
