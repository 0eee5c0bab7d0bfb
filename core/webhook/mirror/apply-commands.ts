// Carries out what a user of Kubernetes may ask of any webhook: suspend it, rotate its secret, probe it.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { selectProbeRequest } from '#core/webhook/probe/probe-job.ts'
import { requestProbe } from '#core/webhook/probe/request-probe.ts'
import { generateSecret } from '#core/webhook/secret.ts'
import { replaceSecret } from '#core/webhook/secret-store.ts'
import { bindObject, type BoundWebhook, lockBound, setRotationRequest } from './managed-store.ts'
import type { MirroredWebhook } from './mirrored-webhook.ts'
import { readMirroredIn } from './read-mirrored.ts'
import { isNewRequest } from './rules.ts'
import { setSuspended } from './set-suspended.ts'
import type { WebhookCommands } from './webhook-commands.ts'

/** Idempotent: a request is carried out once. A rotation has taken place when this returns; a probe is made by the workers, and recorded then. Throws
 *  WEBHOOK_NOT_FOUND, FencedError. */
export async function applyCommands(core: StorelessCore, fence: Fence, commands: WebhookCommands): Promise<MirroredWebhook> {
  const { id, suspend, rotationRequest, probeRequest, generation, object } = commands
  return inFencedTransaction(core, fence, async (sql) => {
    const webhook = await lockBound(sql, { id })
    if (!webhook) throw new DomainError('WEBHOOK_NOT_FOUND')
    const named = { ...webhook, object: object ?? webhook.object }
    if (object && webhook.origin === 'API') await bindObject(sql, webhook.orgId, id, { ...object, generation })
    await setSuspended(sql, named, suspend)
    if (isNewRequest(rotationRequest, webhook.rotationRequest)) await rotate(sql, core, named, rotationRequest)
    if (isNewRequest(probeRequest, webhook.probeRequest, await selectProbeRequest(sql, webhook.orgId, id)))
      await probe(sql, named, probeRequest)
    const after = await readMirroredIn(sql, { id })
    if (!after) throw new DomainError('WEBHOOK_NOT_FOUND')
    return after
  })
}

/** A secret that a user provided stays: `applyManaged` replaces it. One of a webhook created in the panel is shown there, once. */
async function rotate(
  sql: Sql,
  { keys, settings }: Pick<StorelessCore, 'keys' | 'settings'>,
  webhook: BoundWebhook,
  request: string,
): Promise<void> {
  const { orgId, id, origin, object, secretIsGiven } = webhook
  await setRotationRequest(sql, orgId, id, request)
  if (secretIsGiven) return
  const graceSeconds = settings.webhookSecretGraceSeconds
  await replaceSecret(sql, orgId, id, { ...generateSecret(keys, id), graceSeconds, isShown: origin === 'KUBERNETES' })
  await recordKubernetesEvent(sql, orgId, object, { action: 'webhook.secret-rotated', detail: activityDetail(webhook) })
}

async function probe(sql: Sql, webhook: BoundWebhook, request: string): Promise<void> {
  const { orgId, id, object } = webhook
  await requestProbe(sql, orgId, id, request)
  await recordKubernetesEvent(sql, orgId, object, { action: 'webhook.probed', detail: activityDetail(webhook) })
}
