// The Idempotency-Key of organisation POSTs: read from the request, and the handler run so that a retry gets the first answer.
import type { Core, CredentialCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { ErrorKind } from '#core/platform/errors/codes.ts'
import { respondOnce, type StoredResponse, type KeyedRequest } from '#core/account/idempotency/answer-once.ts'
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '#core/limits.ts'
import type { Request, Response } from 'express'
import { toDomainError, refusalBody } from './response/error-handler.ts'
import { STATUS_OF_KIND } from './response/status-of-kind.ts'

const HEADER = 'idempotency-key'
const PRINTABLE = /^[\x20-\x7e]+$/
/** Refusals that are the answer for good. All others leave the key unused: the request was malformed, or may be repeated as it is. */
const KEPT_KINDS: ReadonlySet<ErrorKind> = new Set<ErrorKind>(['not_found', 'conflict', 'rule'])

interface IdempotentRoute {
  operationId: string
  success: number
  idempotent: boolean
}

/** The answer to a request that carries a key, as it was or will be kept. */
export interface IdempotentResponse {
  kind: 'answered once'
  answer: StoredResponse
  replayed: boolean
}

/** The key that the request carries, where its route takes one. Throws VALIDATION_FAILED. */
export function idempotencyKeyOf({ idempotent }: IdempotentRoute, request: Request): string | undefined {
  const values = request.headersDistinct[HEADER]
  if (!idempotent || !values) return undefined
  const [key = '', ...others] = values
  if (others.length === 0 && key.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS && PRINTABLE.test(key)) return key
  throw new DomainError('VALIDATION_FAILED', {
    message: `Idempotency-Key: must be a single key of 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters.`,
  })
}

/** What is kept under the key, and for which request: `params` and `content` are all that the request says. */
export function toKeyedRequest(
  { operationId }: IdempotentRoute,
  caller: CredentialCaller,
  key: string,
  { params, content }: { params: unknown; content: readonly unknown[] },
): KeyedRequest {
  return { caller, key, operation: JSON.stringify([operationId, params]), content: JSON.stringify(content) }
}

/** Runs the handler unless the key has its answer. Rejects with what is not kept. */
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
      return keptRefusal(request, error)
    }
  })
  return { kind: 'answered once', ...once }
}

/** The same answer. Where it is a success that is told again, `authorizeReplay` is asked before and throws for who may not have it any more. */
export async function authorizeThenReplay(
  { success }: IdempotentRoute,
  once: IdempotentResponse,
  authorizeReplay: () => Promise<void> | undefined,
): Promise<IdempotentResponse> {
  if (once.replayed && once.answer.status === success) await authorizeReplay()
  return once
}

function keptRefusal(request: Request, error: unknown): StoredResponse {
  const known = toDomainError(error)
  if (!(known instanceof DomainError) || !KEPT_KINDS.has(known.kind)) throw error
  return { status: STATUS_OF_KIND[known.kind], body: JSON.stringify(refusalBody(request, known)) }
}

export function isIdempotentResponse(result: unknown): result is IdempotentResponse {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'answered once'
}

/** Sends it as it stands, and says so when it is not the first time. */
export function sendIdempotentResponse(response: Response, { answer: { status, body }, replayed }: IdempotentResponse): void {
  if (replayed) response.set('Idempotency-Replayed', 'true')
  response.status(status)
  if (body === null) response.end()
  else response.type('json').send(body)
}
