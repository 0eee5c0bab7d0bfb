// The responses of the layers around a handler: security, validation, bodies, rates, load.
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { producedBy } from '../http/response/negotiate.ts'
import type { Route } from '../http/define-route.ts'

type Audience = Route['audience']

export interface LayerAnswers {
  codes: ErrorCode[]
  /** Responses of the security layer, without a body. Spec, "Errors". */
  bodiless: (401 | 403)[]
  /** Statuses that the spec requires to be declared, whether or not a rule produces them today. */
  declared: number[]
}

/** The layers' responses, by the route's audience, method and body. Spec, "Applicability". */
export function layersOf(route: Route): LayerAnswers {
  return {
    codes: [...codesOfEvery(route), ...codesOfBody(route), ...codesOfPanel(route)],
    bodiless: bodilessOf(route),
    declared: declaredFor(route),
  }
}

function codesOfEvery(route: Route): ErrorCode[] {
  const hasInput = route.path.includes(':') || route.query !== undefined || route.audience === 'organisation'
  return [
    ...(hasInput ? (['VALIDATION_FAILED'] as const) : []),
    ...(producedBy(route).length > 0 ? (['NOT_ACCEPTABLE'] as const) : []),
    'SERVICE_UNAVAILABLE',
  ]
}

function codesOfBody({ audience, body }: Route): ErrorCode[] {
  if (audience === 'organisation upload') return ['VALIDATION_FAILED']
  return body ? ['VALIDATION_FAILED', 'MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : []
}

function codesOfPanel(route: Route): ErrorCode[] {
  return [
    ...(route.audience.startsWith('panel') && route.method !== 'get' ? (['CSRF_TOKEN_INVALID'] as const) : []),
    ...(route.audience === 'panel' && route.factor !== 'not needed' ? (['SECOND_FACTOR_REQUIRED'] as const) : []),
    ...(route.audience === 'panel' && route.factor === 'recent' ? (['STEP_UP_REQUIRED'] as const) : []),
  ]
}

/** 401 comes first; 403 where a role or permission may be missing. */
function bodilessOf(route: Route): (401 | 403)[] {
  if (route.audience === 'panel') return route.access === 'admin' ? [401, 403] : [401]
  return BODILESS[route.audience]
}

const BODILESS: Record<Exclude<Audience, 'panel'>, (401 | 403)[]> = {
  organisation: [401, 403],
  'organisation upload': [401, 403],
  'panel entry': [401],
  signer: [],
  public: [],
}

function declaredFor({ audience, method, path }: Route): number[] {
  const { always, withId, post } = DECLARED[audience]
  return [...always, ...(path.includes(':id') ? withId : []), ...(method === 'post' ? post : [])]
}

const BY_PROGRAMS = { always: [400], withId: [404], post: [409, 422, 429] }
const BY_PEOPLE = { always: [], withId: [], post: [] }

const DECLARED: Record<Audience, { always: number[]; withId: number[]; post: number[] }> = {
  organisation: BY_PROGRAMS,
  'organisation upload': BY_PROGRAMS,
  signer: { always: [400, 404], withId: [], post: [409, 422, 429] },
  public: { always: [400], withId: [], post: [] },
  panel: BY_PEOPLE,
  'panel entry': BY_PEOPLE,
}
