// In which media type to answer: what the request's Accept says (RFC 9110, 12.5.1). Refusals are JSON whatever it says.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Request, Response } from 'express'

export type MediaType = 'application/json' | 'application/pdf' | 'application/pem-certificate-chain'

const PARAMETER = /;(?!\s*q\s*=)(?:"(?:\\.|[^"\\])*"|[^,;"])*/gi
const MEDIA_RANGE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** What of a route says in which types it answers. */
interface Producing {
  produces?: readonly MediaType[] | undefined
  response?: unknown
}

/** The types that a route answers in when all goes well, the one for who has no wish first; none where it answers without a body. */
export function producedBy({ produces, response }: Producing): readonly MediaType[] {
  return produces ?? (response ? ['application/json'] : [])
}

/** Of what the route produces, the type that the request likes best, else the first. Throws NOT_ACCEPTABLE when it likes none. */
export function acceptedType(route: Producing, request: Request, response: Response): MediaType {
  const types = producedBy(route)
  if (types.length === 0) return 'application/json'
  if (types.length > 1) response.vary('Accept')
  request.headers.accept = toWish(request.headers.accept)
  const accepted = request.accepts([...types])
  const type = types.find((each) => each === accepted)
  if (!type) throw new DomainError('NOT_ACCEPTABLE', { message: `This path responds only with ${types.join(' or ')}.` })
  return type
}

// Parameters such as a charset choose nothing here, and by themselves would make a range that fits no type. Where nothing is a media range, it is no wish.
function toWish(accept: string | undefined): string | undefined {
  const ranges = accept?.replace(PARAMETER, '').split(',') ?? []
  return ranges.some((range) => MEDIA_RANGE.test(range)) ? ranges.join() : undefined
}
