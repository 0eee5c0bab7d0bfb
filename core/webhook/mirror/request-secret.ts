// Asks the workers to read the Secret that an object names, and reads their answer.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { type ReferenceRow, selectReference, upsertReference } from './reference-store.ts'
import type { ReferenceAnswer, RequestedReference, SecretReference } from './secret-reference.ts'

/** Each call reads the Secret again. The answer notifies the mirror. Throws FencedError. */
export async function requestSecret(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  uid: string,
  reference: SecretReference,
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => upsertReference(sql, uid, reference))
}

/** What was requested last for the object; undefined when nothing was. Needs the system role. */
export async function readRequestedSecret(
  { database }: Pick<StorelessCore, 'database'>,
  uid: string,
): Promise<RequestedReference | undefined> {
  const row = await selectReference(database, uid)
  if (!row) return undefined
  const { namespace, name, key, rotationRequest } = row
  return { namespace, name, key, rotationRequest, answer: answerOf(row) }
}

function answerOf({ isRead, failure, message, isGiven, waitedMs }: ReferenceRow): ReferenceAnswer {
  if (!isRead) return { kind: 'WAITING', forMs: waitedMs }
  return failure ? { kind: 'FAILED', failure, message: message ?? '' } : { kind: 'READ', isGiven }
}
