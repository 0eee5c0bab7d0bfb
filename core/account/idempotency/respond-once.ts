// A request with an Idempotency-Key takes effect once, and every retry gets the first response. The response is written in the transaction of the
// effect, under a lock that a crash releases: either both exist or neither (Decisions, Idempotency-Key).
import { createHash } from 'node:crypto'
import type { Core, CredentialCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { IDEMPOTENCY_KEY_SECONDS } from '#core/limits.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { inNestedTransaction } from '#core/platform/postgres/nested-transaction.ts'
import { findResponse, storeResponse, tryLockKey } from './store.ts'

/** How soon a duplicate of a running request may retry. */
const DUPLICATE_RETRY_SECONDS = 1

export interface KeyedRequest {
  caller: CredentialCaller
  /** The operation and the ids in its path. */
  operation: string
  key: string
  /** The whole content of the request; other content under the same key is another request. */
  content: string
}

/** A response as it is sent; null for an empty body. */
export interface StoredResponse {
  status: number
  body: string | null
}

type AnswerCore = Pick<Core, 'database' | 'keys'>

/** The stored response of an earlier request with this key, without waiting for a running one. Throws IDEMPOTENCY_KEY_REUSED. */
export async function findStoredResponse(core: AnswerCore, request: KeyedRequest): Promise<StoredResponse | undefined> {
  return inOrganisation(core.database, request.caller.orgId, (sql) => readStoredResponse(sql, core, request))
}

/** Runs `work` unless the key has a stored response. `work` must use the core that it receives; its response is stored, also an error response after
 *  its own transaction was rolled back. When it throws, nothing is stored and everything is rolled back. Throws IDEMPOTENCY_IN_PROGRESS while a
 *  duplicate runs, IDEMPOTENCY_KEY_REUSED. */
export async function respondOnce(
  core: Core,
  request: KeyedRequest,
  work: (core: Core) => Promise<StoredResponse>,
): Promise<{ answer: StoredResponse; replayed: boolean }> {
  const { orgId } = request.caller
  return inNestedTransaction(core.database, orgId, async (sql, database) => {
    const keyHash = keyHashOf(request)
    const locked = await tryLockKey(sql, keyHash)
    if (!locked) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: DUPLICATE_RETRY_SECONDS })
    const stored = await readStoredResponse(sql, core, request)
    if (stored) return { answer: stored, replayed: true }
    const answer = await work({ ...core, database })
    const answerBox = core.keys.seal(JSON.stringify(answer), responseContext(request.caller.orgId, keyHash))
    await storeResponse(sql, orgId, keyHash, { fingerprint: core.keys.requestFingerprint(request.content), answerBox })
    return { answer, replayed: false }
  })
}

async function readStoredResponse(sql: Sql, { keys }: AnswerCore, request: KeyedRequest): Promise<StoredResponse | undefined> {
  const keyHash = keyHashOf(request)
  const row = await findResponse(sql, request.caller.orgId, keyHash, IDEMPOTENCY_KEY_SECONDS)
  if (!row) return undefined
  if (!keys.isRequestFingerprint(row.fingerprint, request.content)) throw new DomainError('IDEMPOTENCY_KEY_REUSED')
  const answer: StoredResponse = JSON.parse(keys.open(row.answerBox, responseContext(request.caller.orgId, keyHash)))
  return answer
}

/** The scope of a key: organisation, credential and operation. */
function keyHashOf({ caller, operation, key }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([caller.orgId, caller.credentialId, operation, key]))
    .digest()
}

/** Binds an encrypted response to its row. */
export function responseContext(orgId: string, keyHash: Buffer): string {
  return `idempotency ${orgId} ${keyHash.toString('hex')}`
}
