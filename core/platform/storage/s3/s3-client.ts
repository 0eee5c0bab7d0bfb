// The S3 clients: explicit region, keys and endpoint, nothing from the environment; every wait is limited; only temporary errors are retried.
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates } from 'node:tls'
import { S3Client } from '@aws-sdk/client-s3'
import { isConnectionError, isTrustError, statusOf } from './s3-errors.ts'

export interface S3StoreOptions {
  endpoint: string
  /** The store's address for browsers; absent: the endpoint. */
  publicEndpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** PEM certificates of additional trusted authorities; absent: the default ones alone. */
  certificates?: readonly string[] | undefined
  /** The bucket in the path instead of the host name, for self-hosted stores. */
  forcePathStyle: boolean
  /** Timeouts that differ from the defaults. */
  timeouts?: Partial<S3Timeouts>
}

export interface S3Timeouts {
  /** The limit for opening a connection. */
  connectMs: number
  /** A request ends when nothing was sent or received for this long. */
  idleMs: number
}

const TIMEOUTS: S3Timeouts = { connectMs: 5_000, idleMs: 30_000 }
const TRIES = 4
const FIRST_PAUSE_MS = 200

const silent = () => {}

/** A client for `endpoint` that sends each request once; see `withTries`. The SDK's log lines are dropped: they would be plain text among JSON lines. */
export function newS3Client(options: S3StoreOptions, endpoint: string): S3Client {
  const { connectMs, idleMs } = { ...TIMEOUTS, ...options.timeouts }
  const client = new S3Client({
    endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    forcePathStyle: options.forcePathStyle,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      ...(options.certificates && {
        // An agent's `ca` replaces the default authorities, so ours are added to them.
        httpsAgent: { keepAlive: true, ca: [...getCACertificates('default'), ...options.certificates] },
      }),
    },
    // Uploads carry our SHA-256; downloads request checksums where needed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With `Expect: 100-continue` the SDK opens a connection per request, and without our authorities.
    expectContinueHeader: false,
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  })
  // A body with a known SHA-256 is signed with it, so that it cannot be changed in transit.
  client.middlewareStack.add(
    (next) => (call) => {
      const { input, request } = call
      if ('ChecksumSHA256' in input && input.ChecksumSHA256 !== undefined && hasHeaders(request)) {
        request.headers['x-amz-content-sha256'] = Buffer.from(input.ChecksumSHA256, 'base64').toString('hex')
      }
      return next(call)
    },
    { step: 'build', name: 'signBody' },
  )
  return client
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request && typeof request.headers === 'object'
}

/** Retries `attempt` after temporary errors: no response, a busy server, a conflict with another writer. Every operation of the store may be
 *  repeated. The SDK's own retries are off, because they leave out streams and conflicts. When `stop` is aborted, its reason is thrown. */
export async function withTries<Result>(attempt: () => Promise<Result>, stop?: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    stop?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      stop?.throwIfAborted()
      if (tries === TRIES || !isPassing(error)) throw error
      // Half fixed, half random, so that many writers do not retry at the same time.
      await delay(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2))
    }
  }
}

function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined) return isConnectionError(error) && !isTrustError(error)
  // The SDK has corrected its clock from the response. 409: S3 was deciding between two conditional writers.
  const clockCorrected = error instanceof Error && error.name === 'RequestTimeTooSkewed'
  return clockCorrected || status >= 500 || status === 409 || status === 429
}
