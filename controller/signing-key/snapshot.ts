// All facts from which one reconcile decides. Plain values: the decisions in plan.ts and status.ts are pure.
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { RowState } from '../projection/rollback.ts'
import type { KeyReason } from '../reasons.ts'
import type { IssuedCertificate } from './certificate.ts'
import { INSTALLATION_KEY_NAME, type SigningKeyObject } from './resource.ts'

export interface Snapshot {
  /** Namespace of the keys. */
  namespace: string
  name: string
  object?: SigningKeyObject | undefined
  /** Row named by the object (origin API), or the row with its uid. */
  row?: SigningKeyView | undefined
  /** Rows of earlier objects of this name, which disappeared without a deletion. */
  vanished: readonly SigningKeyView[]
  /** The Certificate of the next version, if one is due. */
  certificate: IssuedCertificate
  /** Why the object was refused in this reconcile. */
  refusal?: Refusal | undefined
  /** The request of the version that this reconcile has announced: no later fact may show it. */
  announcedRequest?: string | undefined
  /** Too many objects disappeared at once: nothing is deleted or marked until a human has looked. */
  holdsDeletions: boolean
  /** The custom resource definition is being deleted, and its objects with it. */
  isKindDeleted: boolean
  /** Whether one more object may be projected. */
  hasRoom: boolean
  /** Time by the clock of the database. */
  now: Date
}

export interface Refusal {
  reason: Exclude<KeyReason<'Accepted'>, 'Accepted'>
  message: string
}

const PROJECTED_NAME = /^api-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** What the row of an object is, in sentences. */
export const NOUN = 'signing key'
export const ORG_LABEL = 'sealwright.io/org-id'
export const KEY_LABEL = 'sealwright.io/signing-key-id'

/** The name of the object of a key managed in Postgres: an imported one is always an organisation's. */
export function projectedName({ id, orgId }: Pick<SigningKeyView, 'id' | 'orgId'>): string {
  return orgId === null ? INSTALLATION_KEY_NAME : `api-${id}`
}

/** The row of that name; undefined for a name that no such object has. */
export function projectedRow(name: string): 'installation' | { id: string } | undefined {
  if (name === INSTALLATION_KEY_NAME) return 'installation'
  const id = PROJECTED_NAME.exec(name)?.[1]
  return id === undefined ? undefined : { id }
}

/** Absence means Kubernetes. */
export function isProjected({ object, row }: Pick<Snapshot, 'object' | 'row'>): boolean {
  return object ? object.spec.origin === 'API' : row?.origin === 'API'
}

export function rowState(row: SigningKeyView): RowState {
  return { version: row.rowVersion, object: row.object }
}
