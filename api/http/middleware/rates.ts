// The API's rate limits by name. Routes name theirs; headers and API description show them.
import type { Settings } from '#core/platform/config/settings.ts'
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import type { OrgId } from '#core/ids.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { API_REQUESTS } from '#core/account/quota/rules.ts'
import { plainRate, quotaRate, type Rate } from '#core/account/rate/rules.ts'

export type RateName =
  | typeof API_REQUESTS
  | 'uploads'
  | 'ceremony-address'
  | 'ceremony-token'
  | 'token'
  | 'token-network'
  | 'verify'

/** The identifiers by which a request may be counted; its audience decides which are known. */
export interface Requester {
  orgId?: OrgId
  /** The client's address; an IPv6 address as its /64. */
  network?: string
  /** The signing token of the path, possibly malformed. */
  signingToken?: string
  clientId?: string
}

interface RateEntry {
  of: (settings: Settings) => Rate
  /** Undefined: this limit does not count the request. */
  subject: (requester: Requester) => string | undefined
  /** The message of the 429. */
  message: string
  /** The organisation's quota that it enforces. */
  quota?: 'API_REQUESTS_PER_MINUTE'
}

/** Attempts with changing client ids are limited to as many as this number of clients may make. */
const CLIENTS_OF_NETWORK = 10
/** The last part of an IPv4 address. */
const IPV4_HOST = /(?<=\.)\d+$/
const SIGNING_TOKEN = /^[A-Za-z0-9_-]{43}$/

export const RATES: Record<RateName, RateEntry> = {
  [API_REQUESTS]: {
    of: ({ quotaApiRequestsPerMinute }) => quotaRate(API_REQUESTS, quotaApiRequestsPerMinute),
    subject: ({ orgId }) => orgId,
    message: 'The organisation has sent too many requests. At most a fifth of the quota is allowed at once.',
    quota: 'API_REQUESTS_PER_MINUTE',
  },
  uploads: {
    of: ({ rateUploadsPerMinute }) => plainRate('uploads', rateUploadsPerMinute),
    subject: ({ orgId }) => orgId,
    message: 'The organisation has uploaded too many documents in the last minute.',
  },
  'ceremony-address': {
    of: ({ rateCeremonyPerAddressPerMinute }) => plainRate('ceremony-address', rateCeremonyPerAddressPerMinute),
    subject: ({ network }) => network,
    message: 'Too many requests from this address.',
  },
  'ceremony-token': {
    of: ({ rateCeremonyPerTokenPerMinute }) => plainRate('ceremony-token', rateCeremonyPerTokenPerMinute),
    // A malformed token counts by address only and creates no bucket.
    subject: ({ signingToken = '' }) => (SIGNING_TOKEN.test(signingToken) ? hashed(signingToken) : undefined),
    message: 'Too many requests for this signing link.',
  },
  token: {
    of: ({ rateTokenPerMinute }) => plainRate('token', rateTokenPerMinute),
    // Client id and network together: otherwise anyone who knows a client id could lock its owner out.
    subject: ({ clientId = '', network = '' }) => `${hashed(clientId)} ${network}`,
    message: 'This client has requested too many tokens from this address.',
  },
  'token-network': {
    // 300 by default: enough for the systems of a company behind one address.
    of: ({ rateTokenPerMinute }) => plainRate('token-network', rateTokenPerMinute * CLIENTS_OF_NETWORK),
    subject: ({ network }) => network && network.replace(IPV4_HOST, '0/24'),
    message: 'Too many token requests from this network.',
  },
  verify: {
    of: ({ rateVerifyPerMinute }) => plainRate('verify', rateVerifyPerMinute),
    subject: ({ network }) => network,
    message: 'Too many verifications from this address.',
  },
}

/** The error codes of these limits. */
export function codesOfRates(names: readonly RateName[]): ErrorCode[] {
  return names.map((name) => (RATES[name].quota ? 'QUOTA_EXCEEDED' : 'RATE_LIMITED'))
}

function hashed(secret: string): string {
  return hashToken(secret).toString('base64url')
}
