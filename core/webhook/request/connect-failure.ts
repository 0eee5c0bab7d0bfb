// Translates the errors of connecting and of the TLS handshake.
import type { X509Certificate } from 'node:crypto'
import { AttemptError, codeOf, isOurShortage } from './attempt-error.ts'
import type { FailureCode } from './failure.ts'

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

/** The failure of a TLS handshake; `certificate` is the receiver's, if it sent one. A shortage of this machine stays as it is. */
export function toTlsError(error: unknown, certificate: X509Certificate | undefined): unknown {
  if (isOurShortage(error)) return error
  const code = CODES[codeOf(error)] ?? 'TLS_FAILED'
  const expired = code === 'TLS_EXPIRED' ? expiredDay(certificate) : undefined
  return new AttemptError({ code, ...(expired !== undefined && { detail: expired }) }, error)
}

/** The day on which the first expired certificate of the chain ended. */
function expiredDay(certificate: X509Certificate | undefined): string | undefined {
  const now = Date.now()
  for (let each = certificate; each; each = each.issuerCertificate) {
    if (each.validToDate.getTime() < now) return each.validToDate.toISOString().slice(0, 'yyyy-mm-dd'.length)
    if (each.issuerCertificate?.raw.equals(each.raw)) return undefined
  }
  return undefined
}
