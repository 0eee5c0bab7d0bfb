// The S3 clients: explicit region, keys and endpoint, nothing from the environment; every wait has an end; only temporary faults are tried again.
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates } from 'node:tls'
import { S3Client } from '@aws-sdk/client-s3'
import { isConnectionError, isTrustError, statusOf } from './s3-errors.ts'

export interface S3StoreOptions {
  endpoint: string
  /** Where browsers reach the same store; absent: the endpoint. */
  publicEndpoint: string | undefined
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** PEM certificates of authorities that are trusted besides the usual ones; absent: those alone. */
  certificates?: readonly string[] | undefined
  /** The bucket in the path instead of the host name, as self-hosted stores want it. */
  forcePathStyle: boolean
  /** Those that differ from the usual. */
  timeouts?: Partial<S3Timeouts>
}

export interface S3Timeouts {
  /** A connection that does not stand by then is given up. */
  connectMs: number
  /** Nothing sent or received for so long ends a request. */
  idleMs: number
}

const TIMEOUTS: S3Timeouts = { connectMs: 5_000, idleMs: 30_000 }
const TRIES = 4
const FIRST_PAUSE_MS = 200

const silent = () => {}

/** A client for `endpoint` that sends each request once; see `withTries`. The SDK's own words go nowhere: they would be text among JSON lines. */
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
        // An agent's `ca` replaces the usual authorities; ours come in addition.
        httpsAgent: { keepAlive: true, ca: [...getCACertificates('default'), ...options.certificates] },
      }),
    },
    // Uploads carry a SHA-256 of ours; downloads ask for checksums where they want them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // For those that ask first whether to send their body, the SDK opens a connection each, and that one without our authorities.
    expectContinueHeader: false,
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  })
  // A body whose SHA-256 is known is signed with it, so that nobody on the way can change the bytes.
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

/** Tries `attempt` again while it fails for reasons that pass: no answer, a busy server, a conflict with another writer. Every operation of the
 *  store may be repeated. The SDK's own retries are off, because they leave out streams and conflicts. When `stop` is aborted, its reason is thrown. */
export async function withTries<Result>(attempt: () => Promise<Result>, stop?: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    stop?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      stop?.throwIfAborted()
      if (tries === TRIES || !isPassing(error)) throw error
      // Half fixed, half random, so that many writers do not come back together.
      await delay(FIRST_PAUSE_MS * 2 ** (tries - 1) * (0.5 + Math.random() / 2))
    }
  }
}

function isPassing(error: unknown): boolean {
  const status = statusOf(error)
  if (status === undefined) return isConnectionError(error) && !isTrustError(error)
  // The SDK has set its clock by the refusal. 409: S3 itself was deciding between two conditional writers.
  const clockCorrected = error instanceof Error && error.name === 'RequestTimeTooSkewed'
  return clockCorrected || status >= 500 || status === 409 || status === 429
}
