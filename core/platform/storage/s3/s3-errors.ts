// Errors of an S3 server, the network or TLS, as a StorageError with one sentence that names the setting to check.
import { errnoOf, StorageError, type StorageErrorReason } from '#core/platform/storage/storage-error.ts'

interface S3ErrorMeaning {
  reason: StorageErrorReason
  message: string
}

const REGION: S3ErrorMeaning = {
  reason: 'failed',
  message: 'SEALWRIGHT_S3_REGION is not the region of the bucket in SEALWRIGHT_S3_BUCKET.',
}
const UNKNOWN_ACCESS_KEY: S3ErrorMeaning = {
  reason: 'denied',
  message: 'SEALWRIGHT_S3_ACCESS_KEY_ID is not known at SEALWRIGHT_S3_ENDPOINT.',
}
const MISSING: S3ErrorMeaning = { reason: 'missing', message: 'The object does not exist in the bucket.' }
const OTHER_BYTES: S3ErrorMeaning = {
  reason: 'corrupt',
  message: 'The content of an object does not match its SHA-256.',
}
const FULL: S3ErrorMeaning = { reason: 'full', message: 'The object store at SEALWRIGHT_S3_ENDPOINT has no space left.' }

/** Meanings by the error's code. AWS's names first; the others are those of MinIO, Ceph and versitygw for the same errors. */
const MEANINGS: Readonly<Record<string, S3ErrorMeaning>> = {
  NoSuchBucket: { reason: 'failed', message: 'The bucket in SEALWRIGHT_S3_BUCKET does not exist.' },
  InvalidBucketName: { reason: 'failed', message: 'SEALWRIGHT_S3_BUCKET is not a valid bucket name.' },
  InvalidAccessKeyId: UNKNOWN_ACCESS_KEY,
  XAdminUserNotFound: UNKNOWN_ACCESS_KEY,
  SignatureDoesNotMatch: {
    reason: 'denied',
    message: 'SEALWRIGHT_S3_SECRET_ACCESS_KEY does not belong to SEALWRIGHT_S3_ACCESS_KEY_ID.',
  },
  AccessDenied: {
    reason: 'denied',
    message:
      'SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to read, write, list and delete objects in the bucket in SEALWRIGHT_S3_BUCKET.',
  },
  AuthorizationHeaderMalformed: REGION,
  IllegalLocationConstraintException: REGION,
  PermanentRedirect: REGION,
  IncorrectEndpoint: REGION,
  RequestTimeTooSkewed: {
    reason: 'failed',
    message: 'The clocks of this machine and of SEALWRIGHT_S3_ENDPOINT differ too much; synchronise both with NTP.',
  },
  NotImplemented: {
    reason: 'failed',
    message: 'The server at SEALWRIGHT_S3_ENDPOINT does not support multipart uploads or conditional writes (If-None-Match).',
  },
  NoSuchUpload: { reason: 'unreachable', message: 'SEALWRIGHT_S3_ENDPOINT dropped an upload before it was complete.' },
  NoSuchKey: MISSING,
  NotFound: MISSING,
  InvalidRange: { reason: 'range', message: 'The requested byte range is not in the object.' },
  BadDigest: OTHER_BYTES,
  XAmzContentSHA256Mismatch: OTHER_BYTES,
  XAmzContentChecksumMismatch: OTHER_BYTES,
  QuotaExceeded: FULL,
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
}

/** Runs `operation`; an error of S3 or the network becomes a StorageError, any other stays as it is. */
export async function describingS3Errors<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    throw toS3StorageError(error)
  }
}

/** The StorageError for an error of the SDK; StorageErrors and bugs unchanged. */
function toS3StorageError(error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error
  const meaning = MEANINGS[error.name] ?? meaningOfStatus(error) ?? meaningOfConnection(error)
  return meaning ? new StorageError(meaning.reason, meaning.message, error) : error
}

/** Whether there was no complete response: refused, cut off, timed out. */
export function isConnectionError(error: unknown): boolean {
  return (
    statusOf(error) === undefined && (errnoOf(error) !== undefined || (error instanceof Error && error.name === 'TimeoutError'))
  )
}

/** Whether the server is not trusted or does not speak TLS: a retry would fail the same way. */
export function isTrustError(error: unknown): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|TLS|SSL/.test(errnoOf(error) ?? '') || speaksNoTls(error)
}

function speaksNoTls(error: unknown): boolean {
  return error instanceof Error && error.message.includes('wrong version number')
}

/** The HTTP status of the response; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined
  const metadata = error.$metadata
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}

function meaningOfStatus(error: Error): S3ErrorMeaning | undefined {
  const status = statusOf(error)
  if (status === undefined) return undefined
  // A rejected HEAD has no body that names its error.
  if (status === 403) return MEANINGS['AccessDenied']
  if (status === 301 || status === 307) return REGION
  if (status === 507) return FULL
  // 409: S3 was deciding between two conditional writers.
  const busy = status >= 500 || status === 429 || status === 409
  return busy
    ? { reason: 'unreachable', message: `SEALWRIGHT_S3_ENDPOINT is temporarily unavailable (${status}).` }
    : { reason: 'failed', message: `SEALWRIGHT_S3_ENDPOINT refused a request (${status} ${error.name}).` }
}

function meaningOfConnection(error: Error): S3ErrorMeaning | undefined {
  // The SDK's error for a body that does not match its checksum; it has no name of its own.
  if (error.message.startsWith('Checksum mismatch'))
    return { reason: 'corrupt', message: 'The content of an object in S3 is not what was stored.' }
  if (!isConnectionError(error)) return undefined
  const code = errnoOf(error) ?? error.name
  if (speaksNoTls(error)) {
    return { reason: 'untrusted', message: 'The server at SEALWRIGHT_S3_ENDPOINT does not offer TLS, but https:// requires it.' }
  }
  return isTrustError(error)
    ? {
        reason: 'untrusted',
        message: `The certificate of SEALWRIGHT_S3_ENDPOINT is not trusted (${code}); see SEALWRIGHT_S3_CA_FILE.`,
      }
    : { reason: 'unreachable', message: `SEALWRIGHT_S3_ENDPOINT cannot be reached (${code}).` }
}
