// A route is data: the router, the validator and the API description read the same object, so none can drift from another.
import type { Caller, Core, ClientInfo, PersonCaller } from '#core/context.ts'
import type { ReportPool } from '#core/audit-report/report-pool.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import type { StoredUpload } from '#core/envelope/document/document.ts'
import type { z } from 'zod'
import type { MediaType } from './response/negotiate.ts'
import type { FileResponse } from './response/file-response.ts'
import { codesOfRates, type RateName } from './middleware/rates.ts'
import type { SessionCookie } from './auth/session-cookie.ts'

const REQUEST_RATES: readonly RateName[] = ['requests']
const UPLOAD_RATES: readonly RateName[] = ['requests', 'uploads']

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface RouteShape<Params, Query, Body> {
  operationId: string
  /** What it does, in a line for the list of operations. */
  summary: string
  /** What a caller has to know beyond the schemas; Markdown. */
  description?: string
  method: Method
  /** Express path; the path of the API description is derived. */
  path: `/${string}`
  params: Params
  query?: Query
  body?: Body
  /** Where a body may be larger than the usual 256 KiB. */
  maxBodyBytes?: number
  /** Every code that the use case may throw; those of the layers around it are added here or, for 400, 401 and 403, known. */
  errors: readonly ErrorCode[]
}

/** How a route answers when all went well: with JSON of a declared shape, which the handler's result has to fit, or with nothing. */
type Handled<Request, Response extends z.ZodType> =
  | { success: 200 | 201; response: Response; produces?: undefined; handle(request: Request): Promise<z.input<Response>> }
  | { success: 204; response?: undefined; produces?: undefined; handle(request: Request): Promise<void> }

/** How a route answers that has files to give, perhaps beside JSON. */
interface HandledAsFile<Request, Response extends z.ZodType> {
  success: 200
  /** Of the JSON, where that is among what is produced. */
  response?: Response | undefined
  /** The request's Accept chooses; the first where it has no wish. */
  produces: readonly MediaType[]
  handle(request: Request & { accepted: MediaType }): Promise<z.input<Response> | FileResponse>
}

interface Parsed<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  core: Core
  reports: ReportPool
  params: z.output<Params>
  query: z.output<Query>
  body: z.output<Body>
  origin: ClientInfo
}

interface Uploaded<Params extends z.ZodType, Query extends z.ZodType> {
  core: Core
  caller: Caller
  params: z.output<Params>
  query: z.output<Query>
  /** Its bytes are stored; the handler makes a document of it. */
  upload: StoredUpload
}

/** A route whose requests are counted, in the order in which the rates are asked. */
interface Limited {
  rates: readonly RateName[]
}

/** Whether the operation takes an Idempotency-Key: every organisation POST does. */
interface Keyed {
  idempotent: boolean
}

type Any = z.ZodType

type OrganisationShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  Handled<Parsed<P, Q, B> & { caller: Caller }, R> & {
    /** Throws as the operation would where the caller has lost the role that a kept answer was given to. */
    authorizeReplay?(request: Parsed<P, Q, B> & { caller: Caller }): Promise<void>
  }

type PublicShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  Handled<Parsed<P, Q, B>, R> & { audience: 'signer' | 'public' } & Limited

type UploadShape<P extends Any, Q extends Any, R extends Any> = RouteShape<P, Q, never> &
  Handled<Uploaded<P, Q>, R> & {
    /** Refuses before the body is read, where that can be known. */
    admit?(request: Omit<Uploaded<P, Q>, 'upload'>): Promise<void>
    /** Throws as the operation would where the caller has lost the role that a kept answer was given to. */
    authorizeReplay?(request: Omit<Uploaded<P, Q>, 'upload'>): Promise<void>
  }

interface ForPeople {
  /** Who may: admins alone, or every member of the organisation. */
  access: 'admin' | 'member'
}

type ByPerson<P extends Any, Q extends Any, B extends Any> = Parsed<P, Q, B> & { caller: PersonCaller; cookie: SessionCookie }

type PanelShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  Handled<ByPerson<P, Q, B>, R> &
  ForPeople

type PanelFileShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  HandledAsFile<ByPerson<P, Q, B>, R> &
  ForPeople

type PanelEntryShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  Handled<Parsed<P, Q, B> & { cookie: SessionCookie }, R>

/** An organisation's operation: an access token is due, and the handler learns who calls. */
export type OrganisationRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'organisation'
} & Limited &
  Keyed &
  OrganisationShape<P, Q, B, R>

/** A signer's or anybody's operation: no token; where a signing token stands in the path, it is the credential. */
export type PublicRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = PublicShape<
  P,
  Q,
  B,
  R
>

/** An organisation's upload: one multipart part named `file`, inspected and stored before the handler runs. */
export type UploadRoute<P extends Any = Any, Q extends Any = Any, R extends Any = Any> = {
  audience: 'organisation upload'
} & Limited &
  Keyed &
  UploadShape<P, Q, R>

/** An operation of the panel: a session is due and, for every change, its CSRF token. */
export type PanelRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'panel'
} & (PanelShape<P, Q, B, R> | PanelFileShape<P, Q, B, R>)

/** The way into the panel: no session is due yet. A browser has to say that the panel's own page asks. */
export type PanelEntryRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'panel entry'
} & PanelEntryShape<P, Q, B, R>

export type Route = OrganisationRoute | PublicRoute | UploadRoute | PanelRoute | PanelEntryRoute

/** What every organisation operation has around its handler, and the codes that come of it. */
function organisationLayers({ method, errors }: { method: Method; errors: readonly ErrorCode[] }, rates: readonly RateName[]) {
  const idempotent = method === 'post'
  const keyCodes: ErrorCode[] = idempotent ? ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] : []
  return { rates, idempotent, errors: withCodes(errors, ['ORGANISATION_NOT_FOUND', ...codesOfRates(rates), ...keyCodes]) }
}

function withCodes(codes: readonly ErrorCode[], added: readonly ErrorCode[]): ErrorCode[] {
  return [...new Set([...codes, ...added])]
}

/** Ties the schemas' types to the arguments and the result of an organisation's handler. */
export function defineOrganisationRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: OrganisationShape<P, Q, B, R>,
): OrganisationRoute<P, Q, B, R> {
  return { ...route, audience: 'organisation', ...organisationLayers(route, REQUEST_RATES) }
}

/** Ties the schemas' types to the arguments and the result of a public handler. */
export function definePublicRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PublicShape<P, Q, B, R>,
): PublicRoute<P, Q, B, R> {
  return { ...route, errors: withCodes(route.errors, codesOfRates(route.rates)) }
}

/** Ties the schemas' types to the arguments and the result of an upload's handler. */
export function defineUploadRoute<P extends Any, Q extends Any, R extends Any>(
  route: UploadShape<P, Q, R>,
): UploadRoute<P, Q, R> {
  return { ...route, audience: 'organisation upload', ...organisationLayers(route, UPLOAD_RATES) }
}

/** Ties the schemas' types to the arguments and the result of a panel's handler. */
export function definePanelRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelShape<P, Q, B, R>,
): PanelRoute<P, Q, B, R> {
  return { ...route, audience: 'panel' }
}

/** Ties the schemas' types to the arguments and the result of a panel's handler that has files to give. */
export function definePanelFileRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelFileShape<P, Q, B, R>,
): PanelRoute<P, Q, B, R> {
  return { ...route, audience: 'panel' }
}

/** Ties the schemas' types to the arguments and the result of a handler before the panel. */
export function definePanelEntryRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelEntryShape<P, Q, B, R>,
): PanelEntryRoute<P, Q, B, R> {
  return { ...route, audience: 'panel entry' }
}
