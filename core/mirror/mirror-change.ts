// An object that has changed and that Kubernetes has to be shown.
import type { OrgId } from '#core/ids.ts'

export interface MirrorChange {
  kind: 'WEBHOOK' | 'SIGNING_KEY'
  /** Null for what belongs to the whole installation. */
  orgId: OrgId | null
  /** Id of a webhook or a signing key, which may have been deleted. */
  id: string
  /** Grows with every change of the object. */
  seq: number
  /** Time of the first change that waits. */
  changedAt: Date
}
