// Security headers of every response: only our own scripts, no framing, no sniffing, and no signing link in a Referer.
import helmet from 'helmet'
import type { RequestHandler } from 'express'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** The headers that matter for data. The full set of a page costs 5 % of a read's CPU time. */
const FOR_DATA = Object.entries({
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
})

/** For a year (RFC 6797, 6.1). Not for subdomains, which may be those of others. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const
/** The pages use none of these. */
const PERMISSIONS = ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'] as const

/** `storeOrigin`: the origin of presigned URLs, when it is not this service. Over https, browsers use nothing else from then on (HSTS). */
export function securityHeaders(storeOrigin: string | undefined, publicUrl: string): RequestHandler {
  const hsts = publicUrl.startsWith('https:') ? [HSTS] : []
  const forPages = [...Object.entries(headersOf(storeOrigin)), PERMISSIONS, ...hsts]
  const forData = [...FOR_DATA, ...hsts]
  return (request, response, next) => {
    const headers = request.url.startsWith('/api/') ? forData : forPages
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** The headers are constant: helmet computes them once, on a dummy response. */
function headersOf(storeOrigin: string | undefined): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(storeOrigin ? [storeOrigin] : [])],
        workerSrc: ["'self'", 'blob:'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Depends on the public URL, see above.
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  setHeaders(request, response, (error?: unknown) => {
    if (error) throw error
  })
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]))
}
