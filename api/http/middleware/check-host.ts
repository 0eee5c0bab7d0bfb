// Refuses requests to names that are not ours: with a name of its own, another site could make a browser talk to the service as to itself (DNS
// rebinding).
import type { CoreSettings } from '#core/context.ts'
import { isLoopbackHost } from '#core/platform/config/loopback.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Request, RequestHandler } from 'express'
import { hostNamesOf } from './host-names.ts'

/** Orchestrators send probes to the address of the pod. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz'])

/** HOST_NOT_ALLOWED unless the request names the public URL's host, loopback or one of SEALWRIGHT_ALLOWED_HOSTS. Ports are not compared. */
export function checkHost({ publicUrl, allowedHosts }: Pick<CoreSettings, 'publicUrl' | 'allowedHosts'>): RequestHandler {
  const own = new Set([new URL(publicUrl).hostname.replace(/\.$/, ''), ...allowedHosts])
  const isOwn = (name: string) => own.has(name) || isLoopbackHost(name)
  return (request, _response, next) => {
    if (PROBES.has(request.path)) return next()
    assertOneHost(request)
    if (!hostNamesOf(request).every(isOwn)) throw new DomainError('HOST_NOT_ALLOWED')
    next()
  }
}

/** RFC 9112, 3.2. Node itself answers 400 to a request of HTTP/1.1 without the header. */
function assertOneHost({ rawHeaders }: Request): void {
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length
  if (count > 1) throw new DomainError('VALIDATION_FAILED', { message: 'Host: must occur only once.' })
}
