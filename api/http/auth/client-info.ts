// The client of a request, for the audit trail and rate limits. X-Forwarded-For is only read from trusted proxies (Express' `trust proxy`).
import { isIP } from 'node:net'
import type { ClientInfo } from '#core/context.ts'
import type { Request } from 'express'

const MOST_USER_AGENT_CHARACTERS = 512
const WITH_PORT = /^\[?([^\]]+?)\]?(?::\d+)?$/
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The client's address and user agent. */
export function clientInfoOf(request: Request): ClientInfo {
  const userAgent = request.get('user-agent')?.slice(0, MOST_USER_AGENT_CHARACTERS)
  return { address: clientAddress(request), userAgent: userAgent ?? null }
}

/** The client's address; the peer's when a proxy forwarded something else; null when the connection is closed. */
function clientAddress({ ip = '', socket }: Request): string | null {
  const address = isIP(ip) ? ip : WITH_PORT.exec(ip)?.[1]
  const known = address && isIP(address) ? address : socket.remoteAddress
  return known?.replace(IPV4_IN_IPV6, '$1') ?? null
}
