// The host names that a request is addressed to.
import type { Request } from 'express'

const PORT = /:\d*$/
/** A complete name may end with the root's dot (RFC 1034, 3.1). */
const ROOT_DOT = /\.$/
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** Without ports, in lower case: the Host header's and, for a target in absolute form (RFC 9112, 3.2.2), the target's. An unreadable one is kept as it
 *  is: it equals no name. */
export function hostNamesOf(request: Request): string[] {
  const [, target] = ABSOLUTE.exec(request.originalUrl) ?? []
  return [request.headers.host ?? '', ...(target === undefined ? [] : [target])].map(toHostName)
}

function toHostName(authority: string): string {
  return authority.replace(PORT, '').replace(ROOT_DOT, '').toLowerCase()
}
