// What a use case needs from outside, and who asks. At most six members in Core, ever.
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

/** What workers and clock loops need: everything but the threads that serve requests. */
export type SystemCore = Omit<Core, 'threads'>

/** What workers need that move no documents. */
export type StorelessCore = Omit<SystemCore, 'storage'>

/** The settings with what the start has worked out. */
export type CoreSettings = Settings & { publicUrl: string }

/** Where a request comes from; kept in the audit trail. */
export interface ClientInfo {
  address: string | null
  userAgent: string | null
}

/** A system of the organisation, by its access token. */
export interface CredentialCaller {
  kind: 'credential'
  orgId: OrgId
  credentialId: CredentialId
  clientId: string
  origin: ClientInfo
}

/** One of the organisation's people, by the session of the panel. */
export interface PersonCaller {
  kind: 'person'
  orgId: OrgId
  personId: PersonId
  role: 'ADMIN' | 'MEMBER'
  email: string
  name: string
  origin: ClientInfo
}

/** Who asks for an organisation: made by the security layer from token or session, never from the request's body. */
export type Caller = CredentialCaller | PersonCaller
