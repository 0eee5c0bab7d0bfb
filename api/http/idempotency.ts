// The Idempotency-Key of organisation POSTs: reads it, and runs the handler so that a retry gets the first response.
import type { Core, CredentialCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ErrorKind } from '#core/platform/errors/codes.ts'
import { respondOnce, type StoredResponse, type KeyedRequest } from '#core/account/idempotency/respond-once.ts'
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '#core/limits.ts'
import type { Request, Response } from 'express'
import { toDomainError, domainErrorBody } from './response/error-handler.ts'
import { STATUS_OF_KIND } from './response/status-of-kind.ts'

const HEADER = 'idempotency-key'
const PRINTABLE = /^[\x20-\x7e]+$/
/** Errors that are final and therefore stored. All others leave the key unused: the request was malformed or may be retried. */
const STORED_KINDS: ReadonlySet<ErrorKind> = new Set<ErrorKind>(['not_found', 'conflict', 'rule'])

interface IdempotentRoute {
  operationId: string
  success: number
  idempotent: boolean
}

/** The response to a request with a key, stored or to be stored. */
export interface IdempotentResponse {
  kind: 'idempotent'
  answer: StoredResponse
  replayed: boolean
}

/** The request's key, when its route takes one. Throws VALIDATION_FAILED. */
export function idempotencyKeyOf({ idempotent }: IdempotentRoute, request: Request): string | undefined {
  const values = request.headersDistinct[HEADER]
  if (!idempotent || !values) return undefined
  const [key = '', ...others] = values
  if (others.length === 0 && key.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS && PRINTABLE.test(key)) return key
  throw new DomainError('VALIDATION_FAILED', {
    message: `Idempotency-Key: must be a single key of 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters.`,
  })
}

/** The stored response's identity: `params` and `content` are everything that the request says. */
export function toKeyedRequest(
  { operationId }: IdempotentRoute,
  caller: CredentialCaller,
  key: string,
  { params, content }: { params: unknown; content: readonly unknown[] },
): KeyedRequest {
  return { caller, key, operation: JSON.stringify([operationId, params]), content: JSON.stringify(content) }
}

/** Runs the handler unless a response is stored under the key. Rejects with errors that are not stored. */
export async function handleOnce(
  core: Core,
  { success }: IdempotentRoute,
  request: Request,
  keyed: KeyedRequest,
  handle: (core: Core) => Promise<unknown>,
): Promise<IdempotentResponse> {
  const once = await respondOnce(core, keyed, async (joined) => {
    try {
      const result = await handle(joined)
      return { status: success, body: result === undefined ? null : JSON.stringify(result) }
    } catch (error) {
      return storedError(request, error)
    }
  })
  return { kind: 'idempotent', ...once }
}

/** The response. Before a success is replayed, `authorizeReplay` throws when the caller lost access to it. */
export async function authorizeThenReplay(
  { success }: IdempotentRoute,
  once: IdempotentResponse,
  authorizeReplay: () => Promise<void> | undefined,
): Promise<IdempotentResponse> {
  if (once.replayed && once.answer.status === success) await authorizeReplay()
  return once
}

function storedError(request: Request, error: unknown): StoredResponse {
  const known = toDomainError(error)
  if (!(known instanceof DomainError) || !STORED_KINDS.has(known.kind)) throw error
  return { status: STATUS_OF_KIND[known.kind], body: JSON.stringify(domainErrorBody(request, known)) }
}

export function isIdempotentResponse(result: unknown): result is IdempotentResponse {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'idempotent'
}

/** Sends the response unchanged, and marks a replay. */
export function sendIdempotentResponse(response: Response, { answer: { status, body }, replayed }: IdempotentResponse): void {
  if (replayed) response.set('Idempotency-Replayed', 'true')
  response.status(status)
  if (body === null) response.end()
  else response.type('json').send(body)
}
