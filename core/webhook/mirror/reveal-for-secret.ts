// Reads what the Secret of a webhook born in Kubernetes holds.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { secretContext } from '#core/webhook/secret.ts'
import { selectSecrets } from './author-store.ts'

export interface RevealedSecrets {
  secret: string
  /** During the grace of a rotation. */
  previous?: string
}

/** Never of a webhook born in the panel: throws WEBHOOK_NOT_FOUND, as for an unknown one. Throws FencedError. */
export async function revealForSecret(
  core: Pick<StorelessCore, 'database' | 'keys'>,
  fence: Fence,
  id: string,
): Promise<RevealedSecrets> {
  const row = await inFencedTransaction(core, fence, (sql) => selectSecrets(sql, id))
  if (!row) throw new DomainError('WEBHOOK_NOT_FOUND')
  const open = (box: Buffer) => core.keys.open(box, secretContext(row.id))
  return { secret: open(row.secretBox), ...(row.previousSecretBox && { previous: open(row.previousSecretBox) }) }
}
