// What browsers are told about every answer: our own scripts only, no framing, no sniffing, and a signing link never travels as a referrer.
import helmet from 'helmet'
import type { RequestHandler } from 'express'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** What matters for an answer that is no page: nobody sniffs it, frames it or runs it. The rest of a page's headers would cost each read a
 *  twentieth of its processor time. */
const FOR_DATA = Object.entries({
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
})

/** `storeOrigin`: where presigned URLs lead, when that is not this service. */
export function securityHeaders(storeOrigin: string | undefined): RequestHandler {
  const forPages = Object.entries(headersOf(storeOrigin))
  return (request, response, next) => {
    const headers = request.url.startsWith('/api/') ? FOR_DATA : forPages
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** They are the same for every page: worked out once, on an answer that goes nowhere. */
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
    // The service also runs on plain HTTP behind a proxy that ends TLS; the proxy decides on HSTS.
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  setHeaders(request, response, (error?: unknown) => {
    if (error) throw error
  })
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]))
}
