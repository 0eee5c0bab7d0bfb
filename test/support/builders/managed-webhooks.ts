// Webhooks of objects in Kubernetes, for tests of what the database does with them.
import { randomUUID } from 'node:crypto'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import { applyManaged } from '#core/webhook/mirror/apply-managed.ts'
import type { ManagedOutcome, ManagedWebhook } from '#core/webhook/mirror/managed-webhook.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readDueSecrets } from '#core/webhook/mirror/read-due-secrets.ts'
import { requestSecret } from '#core/webhook/mirror/request-secret.ts'
import { prepareSecret } from '#core/webhook/mirror/secret-objects.ts'
import { secretContext } from '#core/webhook/secret.ts'

/** The controller that leads in tests. */
export const FENCE = { transitions: 1 }

/** Every name resolves to a public address. */
export const publicLookup = async () => ['93.184.216.34']

/** What a new object of the organisation says. */
export function anObject(orgId: OrgId, overrides: Partial<ManagedWebhook> = {}): ManagedWebhook {
  const uid = randomUUID()
  return {
    uid,
    namespace: 'shop',
    name: `orders-${uid.slice(0, 8)}`,
    generation: 1,
    createdAt: new Date('2026-10-01T08:00:00Z'),
    orgId,
    url: `https://receiver.example/${uid}`,
    events: ['envelope.sent', 'envelope.completed'],
    description: '',
    suspend: false,
    secret: 'GENERATED',
    ...overrides,
  }
}

export function apply(core: StorelessCore, object: ManagedWebhook): Promise<ManagedOutcome> {
  return applyManaged(core, FENCE, object, publicLookup)
}

/** The webhook that came of the object. Throws the refusal. */
export async function applied(core: StorelessCore, object: ManagedWebhook): Promise<MirroredWebhook> {
  const outcome = await apply(core, object)
  if (outcome.outcome === 'refused') throw new Error(`${outcome.reason}: ${outcome.message}`)
  return outcome.webhook
}

/** The labelled Secret `given` has this value, and a worker has read it for the object. */
export async function giveSecret(core: StorelessCore, { uid, namespace }: ManagedWebhook, value: string): Promise<void> {
  await requestSecret(core, FENCE, uid, { namespace, name: 'given', key: 'secret', rotationRequest: null })
  await readDueSecrets(core, { read: async () => ({ secret: Buffer.from(value).toString('base64') }) })
}

/** What deliveries of the webhook are signed with, the current secret first. */
export async function signingSecretsOf({ database, keys }: StorelessCore, id: string): Promise<string[]> {
  const [row] = await database<{ id: WebhookId; secretBox: Buffer; previousBox: Buffer | null }[]>`
    select id, secret_box, case when previous_secret_expires_at > sealwright_now() then previous_secret_box end as previous_box
    from webhooks where id = ${id}`
  const boxes = row ? [row.secretBox, row.previousBox] : []
  return boxes.flatMap((box) => (row && box ? [keys.open(box, secretContext(row.id))] : []))
}

/** What the Secret of the webhook holds. */
export async function secretsOf(core: StorelessCore, id: string): Promise<{ secret: string; previous?: string }> {
  const { name: _name, ...secrets } = await prepareSecret(core, FENCE, id)
  return secrets
}
