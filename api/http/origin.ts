// Where a request comes from, as the audit trail records it.
import type { Origin } from '#core/context.ts'
import type { Request } from 'express'

const MOST_USER_AGENT_CHARACTERS = 512

/** The peer's address and user agent. */
export function originOf(request: Request): Origin {
  const userAgent = request.get('user-agent')?.slice(0, MOST_USER_AGENT_CHARACTERS)
  return { address: request.ip ?? null, userAgent: userAgent ?? null }
}
