// A route is data: router, validator and API description read the same object, so they cannot diverge.
import type { Caller, Core, ClientInfo, PersonCaller } from '#core/context.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import type { ReportPool } from '#core/audit-report/report-pool.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import type { StoredUpload } from '#core/envelope/document/document.ts'
import type { z } from 'zod'
import type { MediaType } from './response/negotiate.ts'
import type { FileResponse } from './response/file-response.ts'
import type { Method } from './middleware/refuse-other-methods.ts'
import { codesOfRates, type RateName } from './middleware/rates.ts'
import type { ForPeople } from './auth/panel-session.ts'
import type { SessionCookie } from './auth/session-cookie.ts'

const REQUEST_RATES: readonly RateName[] = ['requests']
const UPLOAD_RATES: readonly RateName[] = ['requests', 'uploads']

interface RouteShape<Params, Query, Body> {
  operationId: string
  /** One line for the list of operations. */
  summary: string
  /** What callers need to know beyond the schemas; Markdown. */
  description?: string
  method: Method
  /** Express path; the path of the API description is derived from it. */
  path: `/${string}`
  params: Params
  query?: Query
  body?: Body
  /** Set where a body may exceed the default of 256 KiB. */
  maxBodyBytes?: number
  /** Every code that the use case may throw. The layers around it add theirs. */
  errors: readonly ErrorCode[]
}

/** A route that answers with JSON of a declared shape, or without a body. */
type Handled<Request, Response extends z.ZodType> =
  | { success: 200 | 201 | 202; response: Response; produces?: undefined; handle(request: Request): Promise<z.input<Response>> }
  | { success: 204; response?: undefined; produces?: undefined; handle(request: Request): Promise<void> }

/** A route that answers with a file, possibly as an alternative to JSON. */
interface HandledAsFile<Request, Response extends z.ZodType> {
  success: 200
  /** The JSON shape, when JSON is among `produces`. */
  response?: Response | undefined
  /** The Accept header selects one; the first is the default. */
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
  /** Preferred by Accept-Language. */
  language: Locale
}

interface Uploaded<Params extends z.ZodType, Query extends z.ZodType> {
  core: Core
  caller: Caller
  params: z.output<Params>
  query: z.output<Query>
  /** The stored file, from which the handler creates a document. */
  upload: StoredUpload
}

/** A route with rate limits, checked in this order. */
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
    /** Throws as the operation would when the caller has lost the role that the stored response required. */
    authorizeReplay?(request: Parsed<P, Q, B> & { caller: Caller }): Promise<void>
  }

type PublicShape<P extends Any, Q extends Any, B extends Any, R extends Any> = RouteShape<P, Q, B> &
  Handled<Parsed<P, Q, B>, R> & { audience: 'signer' | 'public' } & Limited

type UploadShape<P extends Any, Q extends Any, R extends Any> = RouteShape<P, Q, never> &
  Handled<Uploaded<P, Q>, R> & {
    /** Rejects a request before its body is read, where possible. */
    admit?(request: Omit<Uploaded<P, Q>, 'upload'>): Promise<void>
    /** Throws as the operation would when the caller has lost the role that the stored response required. */
    authorizeReplay?(request: Omit<Uploaded<P, Q>, 'upload'>): Promise<void>
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

/** An organisation's operation: requires an access token. */
export type OrganisationRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'organisation'
} & Limited &
  Keyed &
  OrganisationShape<P, Q, B, R>

/** A public or signer's operation: no access token; a signing token in the path is the credential. */
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

/** An operation of the panel: requires a session and, for every change, its CSRF token. */
export type PanelRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'panel'
} & (PanelShape<P, Q, B, R> | PanelFileShape<P, Q, B, R>)

/** A sign-in operation of the panel: no session yet, but a browser must prove that the panel's own page sent the request. */
export type PanelEntryRoute<P extends Any = Any, Q extends Any = Any, B extends Any = Any, R extends Any = Any> = {
  audience: 'panel entry'
} & PanelEntryShape<P, Q, B, R>

export type Route = OrganisationRoute | PublicRoute | UploadRoute | PanelRoute | PanelEntryRoute

/** The layers of every organisation operation and the codes that they add. */
function organisationLayers({ method, errors }: { method: Method; errors: readonly ErrorCode[] }, rates: readonly RateName[]) {
  const idempotent = method === 'post'
  const keyCodes: ErrorCode[] = idempotent ? ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] : []
  return { rates, idempotent, errors: withCodes(errors, ['ORGANISATION_NOT_FOUND', ...codesOfRates(rates), ...keyCodes]) }
}

function withCodes(codes: readonly ErrorCode[], added: readonly ErrorCode[]): ErrorCode[] {
  return [...new Set([...codes, ...added])]
}

/** Defines an organisation route; infers the handler's types from the schemas. */
export function defineOrganisationRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: OrganisationShape<P, Q, B, R>,
): OrganisationRoute<P, Q, B, R> {
  return { ...route, audience: 'organisation', ...organisationLayers(route, REQUEST_RATES) }
}

/** Defines a public route; infers the handler's types from the schemas. */
export function definePublicRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PublicShape<P, Q, B, R>,
): PublicRoute<P, Q, B, R> {
  return { ...route, errors: withCodes(route.errors, codesOfRates(route.rates)) }
}

/** Defines an upload route; infers the handler's types from the schemas. */
export function defineUploadRoute<P extends Any, Q extends Any, R extends Any>(
  route: UploadShape<P, Q, R>,
): UploadRoute<P, Q, R> {
  return { ...route, audience: 'organisation upload', ...organisationLayers(route, UPLOAD_RATES) }
}

/** Defines a panel route; infers the handler's types from the schemas. */
export function definePanelRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelShape<P, Q, B, R>,
): PanelRoute<P, Q, B, R> {
  return { ...route, audience: 'panel' }
}

/** Defines a panel route that answers with files; infers the handler's types from the schemas. */
export function definePanelFileRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelFileShape<P, Q, B, R>,
): PanelRoute<P, Q, B, R> {
  return { ...route, audience: 'panel' }
}

/** Defines a sign-in route of the panel; infers the handler's types from the schemas. */
export function definePanelEntryRoute<P extends Any, Q extends Any, B extends Any, R extends Any>(
  route: PanelEntryShape<P, Q, B, R>,
): PanelEntryRoute<P, Q, B, R> {
  return { ...route, audience: 'panel entry' }
}
