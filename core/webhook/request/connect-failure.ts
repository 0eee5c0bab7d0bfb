// Translates the errors of connecting and of the TLS handshake.
import { AttemptError, codeOf, isOurShortage } from './attempt-error.ts'
import type { FailureCode } from '../failure.ts'

const CODES: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  ETIMEDOUT: 'CONNECT_TIMEOUT',
  CERT_HAS_EXPIRED: 'TLS_EXPIRED',
  CERT_NOT_YET_VALID: 'TLS_NOT_YET_VALID',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS_WRONG_HOST',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS_UNTRUSTED',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT: 'TLS_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS_UNTRUSTED',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS_UNTRUSTED',
  CERT_UNTRUSTED: 'TLS_UNTRUSTED',
  CERT_REJECTED: 'TLS_UNTRUSTED',
  CERT_REVOKED: 'TLS_UNTRUSTED',
  CERT_SIGNATURE_FAILURE: 'TLS_UNTRUSTED',
  CERT_CHAIN_TOO_LONG: 'TLS_UNTRUSTED',
  INVALID_CA: 'TLS_UNTRUSTED',
  INVALID_PURPOSE: 'TLS_UNTRUSTED',
}

/** The failure of a TCP connection. A shortage of this machine stays as it is. */
export function toConnectError(error: unknown): unknown {
  if (isOurShortage(error)) return error
  return new AttemptError({ code: CODES[codeOf(error)] ?? 'HOST_UNREACHABLE' }, error)
}

/** The failure of a TLS handshake. `validTo` is the end of the receiver's certificate, if it sent one. A shortage of this machine stays as it is. */
export function toTlsError(error: unknown, validTo: string | undefined): unknown {
  if (isOurShortage(error)) return error
  const code = CODES[codeOf(error)] ?? 'TLS_FAILED'
  const day = code === 'TLS_EXPIRED' ? expiredDay(validTo) : undefined
  return new AttemptError({ code, ...(day !== undefined && { detail: day }) }, error)
}

/** The day on which the certificate ended; undefined when it is an issuer's that has expired. */
function expiredDay(validTo: string | undefined): string | undefined {
  const end = new Date(validTo ?? '')
  return end.getTime() < Date.now() ? end.toISOString().slice(0, 'yyyy-mm-dd'.length) : undefined
}
