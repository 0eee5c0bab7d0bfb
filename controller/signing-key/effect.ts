// What a reconcile can do. Effects are data: a plan can be logged and tested without a server.
import type { KeyMaterial } from '#core/signing-key/signing-key.ts'
import type { Mismatch } from '../projection/rollback.ts'
import type { Refusal } from './snapshot.ts'

/** The fields of an object managed in Postgres that its row decides. Null: absent from the object. */
export interface ProjectedFields {
  orgId: string | null
  state: 'Standby' | 'Active' | 'Retired'
  compromisedSince: string | null
}

export type Effect =
  /** Writes the row's fields into the object, or creates it. `reverted`: fields that a user had changed. */
  | { do: 'apply-object'; keyId: string; fields: ProjectedFields; resourceVersion?: string; reverted: string[] }
  | { do: 'delete-object'; uid: string; resourceVersion: string }
  /** Merges the values that the row has recorded into the object. */
  | { do: 'write-spec'; spec: object; resourceVersion: string }
  | { do: 'add-finalizer'; resourceVersion: string }
  | { do: 'release-finalizer'; resourceVersion: string }
  | { do: 'remove-annotation'; annotation: string; resourceVersion: string }
  /** Creates or changes the row from the object. */
  | { do: 'apply-managed' }
  /** Announces a version whose material is there. */
  | { do: 'announce'; material: KeyMaterial & { kind: 'SECRET' }; request?: string | undefined }
  /** Generates a key into a Secret, and announces it. */
  | { do: 'generate'; version: number; request?: string | undefined }
  | { do: 'create-certificate'; version: number }
  | { do: 'delete-certificate'; version: number }
  /** A new version of a key that the installation made. */
  | { do: 'rotate'; id: string; request: string }
  /** The Secret, and the Certificate, of a version that nothing uses any more. */
  | { do: 'delete-material'; version: number; secret: string }
  /** The key makes no more seals; the object still shows it. */
  | { do: 'retire-row' }
  | { do: 'delete-row'; uid: string }
  | { do: 'mark-orphaned'; uids: string[] }

export interface Plan {
  effects: Effect[]
  refusal?: Refusal | undefined
  mismatch?: Mismatch | undefined
  /** Why the next version has no certificate yet. */
  pending?: string | undefined
  /** Why the request of a rotation is not carried out. */
  rotationRefusal?: string | undefined
  /** The versions of a deleted object are still in use. */
  awaitsRelease?: true
}
