// What a use case receives from outside, and the caller of a request. Core has at most six members.
import type { Settings } from '#core/platform/config/settings.ts'
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { CredentialId, OrgId, PersonId } from './ids.ts'
import type { Logger } from '#core/platform/log.ts'
import type { Database } from '#core/platform/postgres/client.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import type { Threads } from './thread-pools.ts'

export interface Core {
  database: Database
  storage: ObjectStore
  keys: InstallationKeys
  settings: CoreSettings
  threads: Threads
  log: Logger
}

/** What workers and sweeps need: everything but the threads that serve requests. */
export type SystemCore = Omit<Core, 'threads'>

/** What workers need that handle no documents. */
export type StorelessCore = Omit<SystemCore, 'storage'>

/** The settings with the values that were worked out at start. */
export type CoreSettings = Settings & { publicUrl: string; webhookReceiver?: WebhookReceiver }

/** A receiver of webhooks on this machine, to try them with. Only the embedded run has one; no setting can name it. */
export interface WebhookReceiver {
  /** The loopback address and port. Webhooks may go there although it is not public. */
  endpoint: string
  /** PEM of the authority that issued its certificate. */
  ca: string
}

/** The client that sent a request; recorded in the audit trail. */
export interface ClientInfo {
  address: string | null
  userAgent: string | null
}

/** A system of the organisation, identified by its access token. */
export interface CredentialCaller {
  kind: 'credential'
  orgId: OrgId
  credentialId: CredentialId
  clientId: string
  origin: ClientInfo
}

/** A person of the organisation, identified by the panel session. */
export interface PersonCaller {
  kind: 'person'
  orgId: OrgId
  personId: PersonId
  role: 'ADMIN' | 'MEMBER'
  email: string
  name: string
  origin: ClientInfo
  /** The session has proved the person's second factor. Absent: there is none. */
  hasFactor?: boolean
}

/** The caller on behalf of an organisation: built by the security layer from token or session, never from the request body. */
export type Caller = CredentialCaller | PersonCaller
