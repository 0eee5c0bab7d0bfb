// WebhookSubscriptions, rows and snapshots for tests of decisions: one that agrees with itself, to change in one point.
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import {
  WEBHOOK_FINALIZER,
  type WebhookSubscription,
  type WebhookSubscriptionSpec,
  type WebhookSubscriptionStatus,
} from '../../../controller/webhook-subscription/resource.ts'
import { ORG_LABEL, type Snapshot, SUBSCRIPTION_LABEL } from '../../../controller/webhook-subscription/snapshot.ts'

export const ORG = '11111111-1111-4111-8111-111111111111' as OrgId
export const ID = '22222222-2222-4222-8222-222222222222' as WebhookId
export const SECRET_NAME = 'billing-webhook-r1-0123456789'
const NOW = new Date('2026-03-01T12:00:00Z')

export type ObjectChange = Partial<WebhookSubscription['metadata']> & {
  spec?: Partial<WebhookSubscriptionSpec>
  status?: WebhookSubscriptionStatus
}

/** Of a row created in the panel. */
export function aSecret(change: Partial<MirroredWebhook['secret']> = {}): MirroredWebhook['secret'] {
  return { revision: 1, handledRequest: null, previousExpiresAt: null, objectName: null, created: [], ...change }
}

/** Of a row managed in Kubernetes, whose Secret is there. */
export function aManagedSecret(change: Partial<MirroredWebhook['secret']> = {}): MirroredWebhook['secret'] {
  return aSecret({ objectName: SECRET_NAME, created: [{ name: SECRET_NAME, uid: 'secret-uid-1' }], ...change })
}

export function aRow(change: Partial<MirroredWebhook> = {}): MirroredWebhook {
  return {
    orgId: ORG,
    id: ID,
    url: 'https://hooks.example.test/in',
    description: '',
    eventTypes: ['envelope.sent'],
    origin: 'API',
    version: 3,
    createdAt: NOW,
    disabledByAdmin: false,
    suspended: false,
    disabledAutomatically: false,
    disabledAt: null,
    consecutiveExhausted: 0,
    hasDelivered: false,
    nextProbeAt: null,
    lastProbeAt: null,
    lastProbeRequest: null,
    lastFailure: null,
    secret: aSecret(),
    object: { namespace: 'sealwright', name: `api-${ID}`, uid: 'uid-1', generation: 1 },
    orphanedAt: null,
    ...change,
  }
}

/** The object of `aRow()`. */
export function aProjectedObject({ spec, status, ...metadata }: ObjectChange = {}): WebhookSubscription {
  return {
    apiVersion: 'sealwright.io/v1alpha1',
    kind: 'WebhookSubscription',
    metadata: {
      name: `api-${ID}`,
      namespace: 'sealwright',
      uid: 'uid-1',
      resourceVersion: '7',
      generation: 1,
      labels: { [ORG_LABEL]: ORG, [SUBSCRIPTION_LABEL]: ID },
      ...metadata,
    },
    spec: {
      orgId: ORG,
      origin: 'API',
      url: 'https://hooks.example.test/in',
      events: ['envelope.sent'],
      description: '',
      ...spec,
    },
    ...(status && { status }),
  }
}

/** The object of `aManagedRow()`. */
export function aManagedObject({ spec, ...change }: ObjectChange = {}): WebhookSubscription {
  const { origin: _none, ...rest } = aProjectedObject().spec
  const object = aProjectedObject({ name: 'billing', finalizers: [WEBHOOK_FINALIZER], labels: {}, ...change })
  return { ...object, spec: { ...rest, ...spec } }
}

export function aManagedRow(change: Partial<MirroredWebhook> = {}): MirroredWebhook {
  return aRow({
    origin: 'KUBERNETES',
    object: { namespace: 'sealwright', name: 'billing', uid: 'uid-1', generation: 1 },
    secret: aManagedSecret(),
    ...change,
  })
}

export function aSnapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    namespace: 'sealwright',
    name: change.object?.metadata.name ?? `api-${ID}`,
    vanished: [],
    referencedSecret: { kind: 'NONE' },
    isSecretGone: false,
    isApplied: {},
    holdsDeletions: false,
    isKindDeleted: false,
    hasRoom: true,
    now: NOW,
    ...change,
  }
}
