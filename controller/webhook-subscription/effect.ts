// What a reconcile can do. Effects are data: a plan can be logged and tested without a server.
import type { WebhookId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { SecretReference } from '#core/webhook/mirror/secret-reference.ts'
import type { Mismatch } from '../projection/rollback.ts'
import type { Refusal } from './snapshot.ts'

/** The fields of an object created in the panel that its row decides. */
export interface ProjectedFields {
  orgId: string
  url: string
  events: EventType[]
  description: string
}

/** The fields that belong to the user of kubectl. Null: absent from the object. */
export interface CommandFields {
  suspend: boolean
  rotationRequest: string | null
  probeRequest: string | null
}

export type Effect =
  /** Writes the row's fields into the object, or creates it. `reverted`: fields that a user had changed. */
  | {
      do: 'apply-object'
      subscriptionId: string
      fields: ProjectedFields
      resourceVersion?: string | undefined
      reverted: string[]
    }
  | { do: 'delete-object'; uid: string; resourceVersion: string }
  /** Writes the commands, and for an object managed in Kubernetes also the other fields, that the row has recorded. */
  | { do: 'write-spec'; commands: CommandFields; fields?: ProjectedFields | undefined; resourceVersion: string }
  | { do: 'add-finalizer' | 'release-finalizer'; resourceVersion: string }
  | { do: 'remove-annotation'; annotation: string; resourceVersion: string }
  /** Creates or changes the row from the object. */
  | { do: 'apply-managed' }
  | {
      /** Also records which object shows the row. */
      do: 'apply-commands'
      id: WebhookId
      suspend: boolean
      rotationRequest?: string | undefined
      probeRequest?: string | undefined
    }
  /** The object takes over an orphaned row, in place of its own. */
  | { do: 'adopt'; id: string }
  /** A worker is to read the Secret. */
  | { do: 'request-secret'; reference: SecretReference }
  | { do: 'create-secret'; id: string }
  | { do: 'delete-secret'; name: string; uid: string | null }
  | { do: 'delete-row'; uid: string }
  | { do: 'mark-orphaned'; uids: string[] }

export interface Plan {
  effects: Effect[]
  /** Until then the answer of a worker is awaited, and the status stays as it is. */
  waitMs?: number | undefined
  refusal?: Refusal | undefined
  mismatch?: Mismatch | undefined
}
