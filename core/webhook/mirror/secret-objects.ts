// The Secrets in Kubernetes that hold the signing secrets of webhooks managed there. None is ever changed: another content is another Secret.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { secretContext } from '#core/webhook/secret.ts'
import {
  deleteSecretObject,
  forgetOtherObjects,
  insertSecretObjects,
  selectSecretContent,
  setSecretUid,
} from './secret-object-store.ts'

export interface PreparedSecret {
  name: string
  secret: string
  /** During the grace of a rotation. */
  previous?: string
}

/** The name and the content of the Secret that the webhook should have. Its name is recorded, so that it can be deleted whatever happens next; so is the name that
 *  the object shows, which a restored database does not know. Throws WEBHOOK_NOT_FOUND, also for a webhook created in the panel and for a given secret, and FencedError. */
export async function prepareSecret(
  core: Pick<StorelessCore, 'database' | 'keys'>,
  fence: Fence,
  id: string,
  shown?: string,
): Promise<PreparedSecret> {
  const content = await inFencedTransaction(core, fence, async (sql) => {
    const found = await selectSecretContent(sql, id)
    if (found) await insertSecretObjects(sql, found.objectUid, [found.name, ...(shown === undefined ? [] : [shown])])
    return found
  })
  if (!content) throw new DomainError('WEBHOOK_NOT_FOUND')
  const open = (box: Buffer) => core.keys.open(box, secretContext(content.id))
  const { name, secretBox, previousSecretBox } = content
  return { name, secret: open(secretBox), ...(previousSecretBox && { previous: open(previousSecretBox) }) }
}

interface SecretObject {
  /** Uid of the object that owns it. */
  objectUid: string
  name: string
}

/** The API server has stored the Secret under this uid. Throws FencedError. */
export async function recordCreatedSecret(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  { objectUid, name, uid }: SecretObject & { uid: string },
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => setSecretUid(sql, objectUid, name, uid))
}

/** The Secret does not exist any more. Throws FencedError. */
export async function forgetDeletedSecret(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  { objectUid, name }: SecretObject,
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => deleteSecretObject(sql, objectUid, name))
}

/** Forgets what is recorded of objects that exist no more and have left no webhook. `uids`: of the objects that exist. Throws FencedError. */
export async function forgetGoneObjects(
  core: Pick<StorelessCore, 'database'>,
  fence: Fence,
  uids: readonly string[],
): Promise<void> {
  await inFencedTransaction(core, fence, (sql) => forgetOtherObjects(sql, uids))
}
