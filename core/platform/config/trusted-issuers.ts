// External issuers whose access tokens are accepted besides our own: the only setting in JSON. All errors in it are reported at start.
import { z } from 'zod'

const LOCAL_HOST = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/

/** Whether keys may be fetched from this URL: plain HTTP only on this machine, no credentials and no fragment. */
export function isTrustworthyUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOST.test(url.hostname))
}

const text = z.string('must be a string').trim().min(1, 'must not be empty').max(500, 'must have at most 500 characters')
const url = text.refine(isTrustworthyUrl, 'must be an https URL (http only for localhost) without credentials or fragment')

const TrustedIssuer = z.strictObject({
  // NOTE: compared exactly, including a trailing slash: `iss` must equal it (RFC 8414, section 3.3).
  issuer: url.refine((value) => !value.includes('?'), 'must not have a query'),
  audience: text,
  /** Absent: discovered by OpenID Connect Discovery or RFC 8414. */
  jwksUri: url.optional(),
  /** The claim with the organisation's id; dots lead into objects. */
  orgClaim: text,
  /** The claim with the roles, an array or space-separated text; dots lead into objects. */
  rolesClaim: text,
})
export type TrustedIssuer = z.infer<typeof TrustedIssuer>

const TrustedIssuers = z.array(TrustedIssuer, 'must be a JSON array').superRefine((issuers, context) => {
  for (const [index, { issuer }] of issuers.entries()) {
    if (issuers.findIndex((other) => other.issuer === issuer) < index) {
      context.addIssue({ code: 'custom', path: [index, 'issuer'], message: 'is a duplicate' })
    }
  }
})

/** Parses the setting; each error names its place, as in `[0].audience must not be empty`. */
export const trustedIssuers = z.string().transform((json, context): TrustedIssuer[] => {
  const parsed = TrustedIssuers.safeParse(parseJson(json))
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    const [index, ...names] = path.map(String)
    const place = index === undefined ? '' : `${[`[${index}]`, ...names].join('.')} `
    context.addIssue({ code: 'custom', message: place + message })
  }
  return z.NEVER
})

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // invalid JSON is rejected like a value that is not an array
  }
}
