// Reads webhooks for Kubernetes.
import type { StorelessCore } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { describeFailure } from '#core/webhook/request/describe-failure.ts'
import { type MirroredRow, selectMirrored, selectMirroredAfter } from './mirror-store.ts'
import type { MirroredWebhook } from './mirrored-webhook.ts'

/** Reads a webhook by its id or by the uid of its object; undefined when there is none. Needs the system role. */
export async function readMirrored(
  { database }: Pick<StorelessCore, 'database'>,
  key: { id: string } | { uid: string },
): Promise<MirroredWebhook | undefined> {
  return readMirroredIn(database, key)
}

/** Reads the webhook within a transaction. */
export async function readMirroredIn(sql: Sql, key: { id: string } | { uid: string }): Promise<MirroredWebhook | undefined> {
  const row = await selectMirrored(sql, key)
  return row && toMirrored(row)
}

/** A page of all webhooks, by id. Needs the system role. */
export async function listMirrored(
  { database }: Pick<StorelessCore, 'database'>,
  { after, limit }: { after?: WebhookId | undefined; limit: number },
): Promise<MirroredWebhook[]> {
  return (await selectMirroredAfter(database, after, limit)).map(toMirrored)
}

function toMirrored(mirrored: MirroredRow): MirroredWebhook {
  const { secretRevision, rotationRequest, previousExpiresAt, secretName, createdSecrets, failure, ...row } = mirrored
  return {
    ...row,
    lastFailure: failure && { at: new Date(failure.at), code: failure.code, reason: describeFailure(failure, 'en') },
    secret: {
      revision: secretRevision,
      handledRequest: rotationRequest,
      previousExpiresAt,
      objectName: secretName,
      created: createdSecrets,
    },
  }
}
