// Turns a session cookie into a Caller, and checks that the panel's own page sent a change (CSRF).
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { resumeSession, type SessionPerson } from '#core/account/session/resume-session.ts'
import type { Request } from 'express'
import { clientInfoOf } from './client-info.ts'
import { PanelAuthError } from '../response/auth-errors.ts'
import { readSessionToken } from './session-cookie.ts'

export interface ForPeople {
  /** Who may call it: admins only, or every member of the organisation. */
  access: 'admin' | 'member'
  /** `recent`: a person with a second factor must have proved it within the last 15 minutes. `not needed`: also for people who have none although the
   *  organisation requires it. */
  factor?: 'recent' | 'not needed'
}

/**
 * The signed-in person. Throws PanelAuthError: 401 without a live session, 403 for a member where only admins may; CSRF_TOKEN_INVALID for a
 * change without the session's token in `X-CSRF-Token`; SECOND_FACTOR_REQUIRED and STEP_UP_REQUIRED, see `ForPeople`.
 */
export async function admitToPanel(core: Core, request: Request, { access, factor }: ForPeople): Promise<PersonCaller> {
  const { token, caller, person } = await authenticatePanel(core, request)
  assertFromOwnPage(core.settings.publicUrl, request)
  if (!isSafe(request)) assertCsrfToken(core, token, request)
  if (person.lacksFactor && factor !== 'not needed') throw new DomainError('SECOND_FACTOR_REQUIRED')
  if (access === 'admin' && caller.role !== 'ADMIN') throw new PanelAuthError(403)
  if (factor === 'recent' && person.hasFactor && !person.isFactorRecent) throw new DomainError('STEP_UP_REQUIRED')
  return caller
}

async function authenticatePanel(
  core: Core,
  request: Request,
): Promise<{ token: string; caller: PersonCaller; person: SessionPerson }> {
  const token = readSessionToken(core.settings.publicUrl, request)
  const person = token && (await resumeSession(core, token))
  if (!token || !person) throw new PanelAuthError(401)
  const { orgId, personId, role, email, name, hasFactor } = person
  const origin = clientInfoOf(request)
  return { token, caller: { kind: 'person', orgId, personId, role, email, name, hasFactor, origin }, person }
}

/**
 * Throws CSRF_TOKEN_INVALID for a change that, by its headers, another site sent. Requests without these headers pass: they come from
 * programs, which CSRF cannot exploit.
 */
export function assertFromOwnPage(publicUrl: string, request: Request): void {
  if (isSafe(request)) return
  const site = request.get('sec-fetch-site')
  const origin = request.get('origin')
  const isOwn = site === undefined ? origin === undefined || isOwnOrigin(publicUrl, request, origin) : site === 'same-origin'
  if (!isOwn) throw new DomainError('CSRF_TOKEN_INVALID')
}

/** Reads have no side effects in the panel. */
function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The service may also be reached by other names than its public one, such as localhost and 127.0.0.1. */
function isOwnOrigin(publicUrl: string, request: Request, origin: string): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === request.get('host')
}

function assertCsrfToken(core: Core, sessionToken: string, request: Request): void {
  const given = request.get('x-csrf-token') ?? ''
  if (!core.keys.isCsrfToken(given, hashToken(sessionToken))) throw new DomainError('CSRF_TOKEN_INVALID')
}
