// A request with an Idempotency-Key takes effect once, and every retry gets the first answer. The answer is written in the transaction of the
// effect, under a lock that dies with its holder: wherever a process is killed, either both are there or neither (Decisions, Idempotency-Key).
import { createHash } from 'node:crypto'
import type { Core, CredentialCaller } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { IDEMPOTENCY_KEY_SECONDS } from '#core/limits.ts'
import { inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { inNestedTransaction } from '#core/platform/postgres/nested-transaction.ts'
import { findKept, keep, tryLockKey } from './store.ts'

/** How soon a twin of a running request may ask again. */
const TWIN_RETRY_SECONDS = 1

export interface KeyedRequest {
  caller: CredentialCaller
  /** The operation with what its path names. */
  operation: string
  key: string
  /** All that the request says; another text under the same key is another request. */
  content: string
}

/** An answer as it goes over the wire; no body is null. */
export interface StoredResponse {
  status: number
  body: string | null
}

type AnswerCore = Pick<Core, 'database' | 'keys'>

/** The answer of an earlier request with this key, without waiting for one that is still running. Throws IDEMPOTENCY_KEY_REUSED. */
export async function findStoredResponse(core: AnswerCore, request: KeyedRequest): Promise<StoredResponse | undefined> {
  return inOrganisation(core.database, request.caller.orgId, (sql) => readKept(sql, core, request))
}

/** Runs `work` unless the key has its answer. `work` does everything on the core that it is given; what it answers is kept, also a refusal that
 *  it answers after its own transaction was undone. What it throws is not kept and undoes everything.
 *  Throws IDEMPOTENCY_IN_PROGRESS while a twin runs, IDEMPOTENCY_KEY_REUSED. */
export async function respondOnce(
  core: Core,
  request: KeyedRequest,
  work: (core: Core) => Promise<StoredResponse>,
): Promise<{ answer: StoredResponse; replayed: boolean }> {
  const { orgId } = request.caller
  return inNestedTransaction(core.database, orgId, async (sql, database) => {
    const keyHash = keyHashOf(request)
    const locked = await tryLockKey(sql, keyHash)
    if (!locked) throw new DomainError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: TWIN_RETRY_SECONDS })
    const kept = await readKept(sql, core, request)
    if (kept) return { answer: kept, replayed: true }
    const answer = await work({ ...core, database })
    const answerBox = core.keys.seal(JSON.stringify(answer), boxContext(request, keyHash))
    await keep(sql, orgId, keyHash, { fingerprint: core.keys.requestFingerprint(request.content), answerBox })
    return { answer, replayed: false }
  })
}

async function readKept(sql: Sql, { keys }: AnswerCore, request: KeyedRequest): Promise<StoredResponse | undefined> {
  const keyHash = keyHashOf(request)
  const row = await findKept(sql, request.caller.orgId, keyHash, IDEMPOTENCY_KEY_SECONDS)
  if (!row) return undefined
  if (!equalSecrets(row.fingerprint, keys.requestFingerprint(request.content))) throw new DomainError('IDEMPOTENCY_KEY_REUSED')
  const answer: StoredResponse = JSON.parse(keys.open(row.answerBox, boxContext(request, keyHash)))
  return answer
}

/** The scope of a key: organisation, credential and operation. */
function keyHashOf({ caller, operation, key }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([caller.orgId, caller.credentialId, operation, key]))
    .digest()
}

function boxContext({ caller }: KeyedRequest, keyHash: Buffer): string {
  return `idempotency ${caller.orgId} ${keyHash.toString('hex')}`
}
