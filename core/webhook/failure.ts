// Why an attempt to deliver failed. Stored with the attempt.

export type FailureCode =
  /** `detail`: the status. */
  | 'HTTP_STATUS'
  /** `detail`: form, scheme, userinfo, port or host. */
  | 'URL_NOT_ALLOWED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'NAME_NOT_FOUND'
  | 'NAME_LOOKUP_FAILED'
  | 'CONNECTION_REFUSED'
  | 'CONNECTION_RESET'
  | 'HOST_UNREACHABLE'
  | 'CONNECT_TIMEOUT'
  /** `detail`: the day, as 2026-10-01. */
  | 'TLS_EXPIRED'
  | 'TLS_NOT_YET_VALID'
  | 'TLS_WRONG_HOST'
  | 'TLS_UNTRUSTED'
  | 'TLS_FAILED'
  | 'TIMEOUT'
  | 'BAD_RESPONSE'
  /** The caller's signal ended the attempt. */
  | 'ABORTED'

/** A code and its parameter. Never contains an address that a name resolved to, nor text from the receiver. */
export interface AttemptFailure {
  code: FailureCode
  detail?: string
}
