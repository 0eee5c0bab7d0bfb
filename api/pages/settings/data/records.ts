// The panel's names for what its interface answers. Every type comes from the schemas that the routes answer with.
import type { ActivityResponse, PagedActivityResponse } from '../../../schemas/activity.ts'
import type { AuditTrailResponse } from '../../../schemas/audit.ts'
import type { CredentialResponse, NewCredentialResponse } from '../../../schemas/credential.ts'
import type { DocumentWithUrlsResponse } from '../../../schemas/document.ts'
import type { DeliveryStatuses, DeliveryWithBodyResponse, PagedDeliveryResponse } from '../../../schemas/delivery.ts'
import type { EnvelopeResponse, EnvelopeStatuses, PagedEnvelopeResponse } from '../../../schemas/envelope.ts'
import type { OrganisationResponse } from '../../../schemas/organisation-record.ts'
import type { Permissions } from '../../../schemas/permission.ts'
import type { EventTypes, WebhookResponse } from '../../../schemas/webhook.ts'

export type { DeliveryResponse as Delivery, DeliveryStatus } from '../../../schemas/delivery.ts'
export type { EnvelopeStatsResponse as EnvelopeStats } from '../../../schemas/envelope-stats.ts'
export type { EnvelopeStatus } from '../../../schemas/envelope.ts'
export type { MemberResponse as Member } from '../../../schemas/member.ts'
export type { Permission } from '../../../schemas/permission.ts'
export type {
  BegunFactorResponse as BegunFactor,
  FactorResponse as Factor,
  RecoveryCodesResponse as RecoveryCodeList,
} from '../../../schemas/factor.ts'
export type { PersonResponse as Person } from '../../../schemas/person.ts'
export type { SigningKeyResponse as SigningKey } from '../../../schemas/signing-key.ts'
export type {
  EventType,
  ListedWebhookResponse as ListedWebhook,
  TestWebhookResponse as TestResult,
  WebhookWithSecretResponse as WebhookWithSecret,
} from '../../../schemas/webhook.ts'
export type { WorkspaceResponse as Workspace } from '../../../schemas/workspace.ts'

// Lists that are needed as values: their types are those of the server's lists, so a missing, extra or misplaced entry does not compile.
export const PERMISSIONS: Permissions = [
  'envelope:read',
  'envelope:create',
  'envelope:send',
  'envelope:cancel',
  'document:download',
]
export const ENVELOPE_STATUSES: EnvelopeStatuses = ['DRAFT', 'SENT', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED']
export const EVENT_TYPES: EventTypes = [
  'envelope.sent',
  'envelope.completed',
  'envelope.cancelled',
  'envelope.expired',
  'signer.signed',
  'signer.viewed',
]
export const DELIVERY_STATUSES: DeliveryStatuses = [
  'WAITING',
  'REJECTED_UNREACHABLE',
  'DELIVERED',
  'GAVE_UP',
  'NOT_SENT',
  'COULD_NOT_BE_BUILT',
]

export type Envelope = EnvelopeResponse
export type EnvelopePage = PagedEnvelopeResponse
export type EnvelopeDocument = DocumentWithUrlsResponse

export type AuditTrail = AuditTrailResponse
export type AuditEvent = AuditTrailResponse['events'][number]
export type AuditActor = AuditEvent['actor']

/** Something that one of the organisation's people did here, or the operator by command line. */
export type Activity = ActivityResponse
export type ActivityPage = PagedActivityResponse

export type Organisation = OrganisationResponse
export type QuotaUse = OrganisationResponse['quotas'][number]

export type Credential = CredentialResponse
export type Grant = CredentialResponse['workspaces'][number]
/** The answer that holds the secret, this once. */
export type CredentialWithSecret = NewCredentialResponse

export type Webhook = WebhookResponse
export type DisabledReason = NonNullable<WebhookResponse['disabledReason']>
export type DeliveryPage = PagedDeliveryResponse
export type DeliveryWithBody = DeliveryWithBodyResponse
export type DeliveryAttempt = DeliveryWithBodyResponse['attempts'][number]
