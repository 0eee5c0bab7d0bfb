// What browsers are told about every answer: our own scripts only, no framing, no sniffing, and a signing link never travels as a referrer.
import helmet from 'helmet'
import type { RequestHandler } from 'express'

/** `storeOrigin`: where presigned URLs lead, when that is not this service. */
export function securityHeaders(storeOrigin: string | undefined): RequestHandler {
  return helmet({
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
}
