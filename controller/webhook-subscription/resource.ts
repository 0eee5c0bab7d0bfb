// The kind WebhookSubscription: an endpoint that receives the events of an organisation.
import { EVENT_TYPES } from '#core/messaging/subjects.ts'
import { z } from 'zod'
import { Conditions } from '../resource/conditions.ts'
import type { CustomObject } from '../resource/custom-object.ts'
import { conditionPath, GROUP, type Kind, VERSION } from '../resource/kind.ts'
import {
  Counter,
  ObjectName,
  OrganisationId,
  Origin,
  RequestToken,
  rules,
  SecretKey,
  statusText,
  Time,
} from '../resource/scalars.ts'
import { LABEL_LENGTH, ORIGIN_IS_IMMUTABLE } from '../resource/rules.ts'
import { INTERNAL_NAME, WEBHOOK_URL } from './url-pattern.ts'

const SecretRef = z
  .object({
    name: ObjectName.describe('The name of the Secret.'),
    key: SecretKey.optional().describe('The key in the Secret. Absent means `secret`.'),
  })
  .describe(
    'A Secret of this namespace with the signing secret to use instead of a generated one. Needs the label `sealwright.io/webhook-secret: "true"`. Only where origin is Kubernetes. Read at creation, at a change or rotation, and every hour.',
  )

const WebhookSpec = z
  .object({
    orgId: OrganisationId.meta({
      ...rules({ rule: 'self == oldSelf', message: 'orgId is immutable. Create another object for another organisation.' }),
      description: 'The id of the organisation whose events are sent. Immutable.',
    }),
    origin: Origin.optional().describe(
      'Where the webhook was created. `API`: in the panel; Postgres decides all fields but suspend, rotation.request and probe.request. `Kubernetes`: this object decides. Absent means `Kubernetes`. Immutable.',
    ),
    url: z
      .string()
      .min(1)
      .max(2048)
      .regex(/^[hH][tT][tT][pP][sS]:[^\x00-\x20\x7f]+$/) // oxlint-disable-line no-control-regex -- they are what it refuses
      .describe(
        'Where events are sent: https, a DNS name with a dot, an optional port. IP addresses, user names, fragments and names that exist only inside a network are refused.',
      ),
    events: z
      .array(z.enum(EVENT_TYPES))
      .min(1)
      .max(EVENT_TYPES.length)
      .meta({ 'x-kubernetes-list-type': 'set', description: 'The types of events to send, each once.' }),
    description: z
      .string()
      .max(256)
      .regex(/^[^\x00]*$/) // oxlint-disable-line no-control-regex -- Postgres cannot store it
      .optional()
      .describe('For your own use. The panel shows it.'),
    suspend: z
      .boolean()
      .optional()
      .describe('True stops all deliveries. Events are recorded as not sent and are not sent later. Absent means false.'),
    rotation: z
      .object({
        request: RequestToken.optional().describe(
          'Any text, for example the date. A new value generates a new signing secret; the previous one stays valid for 24 hours. Done when status.secret.handledRequest has the same value.',
        ),
      })
      .optional()
      .describe('Asks for a new signing secret.'),
    probe: z
      .object({
        request: RequestToken.optional().describe(
          'Any text, for example the time. A new value sends one signed test event at once; success enables an automatically disabled endpoint. Done when status.health.lastProbeRequest has the same value.',
        ),
      })
      .optional()
      .describe('Asks for a test event.'),
    secretRef: SecretRef.optional(),
  })
  .meta({
    ...rules(
      ORIGIN_IS_IMMUTABLE,
      {
        rule: `has(self.origin) && self.origin == 'API' || self.url.matches(r'''${WEBHOOK_URL}''')`,
        message: 'url must be https with a DNS name that has a dot, an optional port, no user, no fragment and no IP address.',
        fieldPath: '.url',
      },
      {
        rule: `has(self.origin) && self.origin == 'API' || !self.url.matches(r'''${INTERNAL_NAME}''')`,
        message: 'url must not use a name under .svc, .local, .internal or .localhost: webhooks reach public addresses only.',
        fieldPath: '.url',
      },
      {
        rule: "!has(self.secretRef) || !has(self.origin) || self.origin != 'API'",
        message: 'secretRef is only for objects managed in Kubernetes; the secret of this webhook is in the panel.',
        fieldPath: '.secretRef',
      },
    ),
    description: 'The desired state.',
  })

const LastFailure = z
  .object({
    time: Time.describe('When it failed.'),
    code: statusText(64).optional().describe('The code of the failure, as in the delivery history of the panel.'),
    reason: statusText(1024).describe('The failure as a sentence.'),
  })
  .describe('The last failed attempt.')

const Health = z
  .object({
    consecutiveExhausted: Counter.describe('Deliveries in a row that used up their retries.'),
    disabledTime: Time.optional().describe('Since when the endpoint is disabled automatically.'),
    nextProbeTime: Time.optional().describe('When the next probe is due, while it is disabled automatically.'),
    lastProbeTime: Time.optional().describe('When the last probe was sent.'),
    lastProbeRequest: statusText(64).optional().describe('The value of spec.probe.request that was handled last.'),
    lastFailure: LastFailure.optional(),
  })
  .describe('The health of the endpoint. Counters of deliveries are metrics; single deliveries are in the panel.')

const SecretStatus = z
  .object({
    revision: Counter.describe('Counts the signing secrets of this webhook.'),
    handledRequest: statusText(64).optional().describe('The value of spec.rotation.request that was handled last.'),
    previousValidUntil: Time.optional().describe('Until when deliveries are also signed with the previous secret.'),
    secretName: statusText(253)
      .optional()
      .describe(
        'The Secret that holds the signing secret (keys `secret` and, after a rotation, `previous`). It is never changed: with other secrets it has another name. Absent if created in the panel, and with spec.secretRef.',
      ),
  })
  .describe('The signing secret, without its value.')

const WebhookStatus = z
  .object({
    observedGeneration: Counter.optional().describe('The generation of the object that this status is about.'),
    subscriptionId: statusText(36).optional().describe('The id of the webhook in the panel and in logs.'),
    rowVersion: Counter.optional().describe('The version of the row in Postgres that this status shows.'),
    conditions: Conditions.optional(),
    health: Health.optional(),
    secret: SecretStatus.optional(),
  })
  .describe('The observed state. Only the controller writes it.')

export type WebhookSubscriptionSpec = z.output<typeof WebhookSpec>
export type WebhookSubscriptionStatus = z.output<typeof WebhookStatus>
export type WebhookSubscription = CustomObject<WebhookSubscriptionSpec, WebhookSubscriptionStatus>

export const WEBHOOK_SUBSCRIPTIONS = {
  group: GROUP,
  version: VERSION,
  plural: 'webhooksubscriptions',
  kind: 'WebhookSubscription',
} as const

/** On objects managed in Kubernetes only: their deletion must reach Postgres. */
export const WEBHOOK_FINALIZER = 'sealwright.io/subscription'

export const WEBHOOK_SUBSCRIPTION_KIND: Kind = {
  resource: WEBHOOK_SUBSCRIPTIONS,
  singular: 'webhooksubscription',
  shortName: 'whsub',
  description:
    'A WebhookSubscription sends the events of an organisation to an HTTPS endpoint. Webhooks that were created in the panel appear as objects `api-<id>`; create others here.',
  spec: WebhookSpec,
  status: WebhookStatus,
  rules: [
    LABEL_LENGTH,
    {
      rule: "has(self.spec.origin) && self.spec.origin == 'API' || !self.metadata.name.matches('^api-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')",
      message: 'Names of the form api-<id> are reserved for webhooks that were created in the panel.',
    },
  ],
  columns: [
    { name: 'Org', type: 'string', jsonPath: '.spec.orgId', description: 'The organisation' },
    { name: 'Ready', type: 'string', jsonPath: conditionPath('Ready'), description: 'Summary of the conditions' },
    { name: 'Reason', type: 'string', jsonPath: conditionPath('Ready', 'reason'), description: 'Why it is ready or not' },
    {
      name: 'Healthy',
      type: 'string',
      jsonPath: conditionPath('EndpointHealthy'),
      description: 'Whether the endpoint accepts deliveries',
    },
    {
      name: 'Suspended',
      type: 'string',
      jsonPath: conditionPath('Suspended'),
      description: 'Whether deliveries are switched off on purpose',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', description: 'Age of the object' },
    { name: 'URL', type: 'string', jsonPath: '.spec.url', description: 'Where events are sent', isWide: true },
    // Strings: kubectl prints a future date as <invalid>.
    {
      name: 'Next Probe',
      type: 'string',
      jsonPath: '.status.health.nextProbeTime',
      description: 'When the next probe is due',
      isWide: true,
    },
    {
      name: 'Previous Secret Until',
      type: 'string',
      jsonPath: '.status.secret.previousValidUntil',
      description: 'Until when the previous secret signs too',
      isWide: true,
    },
    {
      name: 'Subscription',
      type: 'string',
      jsonPath: '.status.subscriptionId',
      description: 'The id in the panel',
      isWide: true,
    },
  ],
  selectableFields: ['.spec.orgId', '.spec.origin', '.spec.suspend', '.status.subscriptionId'],
}
