// Selects the response's media type by Accept and its language by Accept-Language (RFC 9110, 12.5). Errors are always JSON.
import { type Locale, LOCALES } from '#core/platform/text/locale.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Request, Response } from 'express'

export type MediaType = 'application/json' | 'application/pdf' | 'application/pem-certificate-chain'

const PARAMETER = /;(?!\s*q\s*=)(?:"(?:\\.|[^"\\])*"|[^,;"])*/gi
const MEDIA_RANGE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** The parts of a route that determine its media types. */
interface Producing {
  produces?: readonly MediaType[] | undefined
  response?: unknown
}

/** The media types of the route's success responses, the default first; none without a body. */
export function producedBy({ produces, response }: Producing): readonly MediaType[] {
  return produces ?? (response ? ['application/json'] : [])
}

/** The type that the request prefers among the route's types, or the first. Throws NOT_ACCEPTABLE when it accepts none. */
export function acceptedType(route: Producing, request: Request, response: Response): MediaType {
  const types = producedBy(route)
  if (types.length === 0) return 'application/json'
  if (types.length > 1) response.vary('Accept')
  request.headers.accept = withoutParameters(request.headers.accept)
  const accepted = request.accepts([...types])
  const type = types.find((each) => each === accepted)
  if (!type) throw new DomainError('NOT_ACCEPTABLE', { message: `This path responds only with ${types.join(' or ')}.` })
  return type
}

/** The language that the request prefers among ours; English when it accepts none. */
export function preferredLanguage(request: Request): Locale {
  const preferred = request.acceptsLanguages([...LOCALES])
  return LOCALES.find((each) => each === preferred) ?? 'en'
}

// Parameters such as a charset are removed: with them a range would match no type. A header without a media range is ignored.
function withoutParameters(accept: string | undefined): string | undefined {
  const ranges = accept?.replace(PARAMETER, '').split(',') ?? []
  return ranges.some((range) => MEDIA_RANGE.test(range)) ? ranges.join() : undefined
}
