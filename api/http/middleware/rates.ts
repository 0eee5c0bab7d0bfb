// The rates of the API by name: how much each allows and whom it counts. Routes name theirs; the headers and the API description show them.
import type { Settings } from '#core/platform/config/settings.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { hashToken, type OrgId } from '#core/ids.ts'
import { API_REQUESTS } from '#core/account/quota/rules.ts'
import { plainRate, quotaRate, type Rate } from '#core/account/rate/rules.ts'

export type RateName = typeof API_REQUESTS | 'uploads' | 'ceremony-address' | 'ceremony-token' | 'token' | 'verify'

/** Who a request is counted for, as far as its audience tells. */
export interface Requester {
  orgId?: OrgId
  /** The address, an IPv6 address by its /64. */
  network?: string
  /** The signing token of the path, of whatever shape. */
  signingToken?: string
  clientId?: string
}

interface RateEntry {
  of: (settings: Settings) => Rate
  /** Undefined: this rate does not count the request. */
  subject: (requester: Requester) => string | undefined
  /** The sentence of the 429. */
  refusal: string
  /** The organisation's quota that it enforces. */
  quota?: 'API_REQUESTS_PER_MINUTE'
}

const SIGNING_TOKEN = /^[A-Za-z0-9_-]{43}$/

export const RATES: Record<RateName, RateEntry> = {
  [API_REQUESTS]: {
    of: ({ quotaApiRequestsPerMinute }) => quotaRate(API_REQUESTS, quotaApiRequestsPerMinute),
    subject: ({ orgId }) => orgId,
    refusal: 'The organisation has sent too many requests. At most a fifth of the quota is allowed at once.',
    quota: 'API_REQUESTS_PER_MINUTE',
  },
  uploads: {
    of: ({ rateUploadsPerMinute }) => plainRate('uploads', rateUploadsPerMinute),
    subject: ({ orgId }) => orgId,
    refusal: 'The organisation has uploaded too many documents in the last minute.',
  },
  'ceremony-address': {
    of: ({ rateCeremonyPerAddressPerMinute }) => plainRate('ceremony-address', rateCeremonyPerAddressPerMinute),
    subject: ({ network }) => network,
    refusal: 'Too many requests from this address.',
  },
  'ceremony-token': {
    of: ({ rateCeremonyPerTokenPerMinute }) => plainRate('ceremony-token', rateCeremonyPerTokenPerMinute),
    // A token of the wrong shape is nobody's: it counts for its address alone and leaves no bucket behind.
    subject: ({ signingToken = '' }) => (SIGNING_TOKEN.test(signingToken) ? hashed(signingToken) : undefined),
    refusal: 'Too many requests for this signing link.',
  },
  token: {
    of: ({ rateTokenPerMinute }) => plainRate('token', rateTokenPerMinute),
    // Both together, so that a stranger who knows a client id cannot lock its owner out.
    subject: ({ clientId = '', network = '' }) => `${hashed(clientId)} ${network}`,
    refusal: 'This client has requested too many tokens from this address.',
  },
  verify: {
    of: ({ rateVerifyPerMinute }) => plainRate('verify', rateVerifyPerMinute),
    subject: ({ network }) => network,
    refusal: 'Too many verifications from this address.',
  },
}

/** The codes with which these rates refuse. */
export function codesOfRates(names: readonly RateName[]): ErrorCode[] {
  return names.map((name) => (RATES[name].quota ? 'QUOTA_EXCEEDED' : 'RATE_LIMITED'))
}

function hashed(secret: string): string {
  return hashToken(secret).toString('base64url')
}
