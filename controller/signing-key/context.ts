// What the reconciles of one leadership share. `namespace` is that of the keys.
import type { KindContext, Progress } from '../projection/kind-context.ts'
import type { SigningKeyObject } from './resource.ts'
import type { Refusal } from './snapshot.ts'

export type KeyContext = KindContext<SigningKeyObject>

export interface KeyProgress extends Progress<SigningKeyObject> {
  refusal?: Refusal
  announcedRequest?: string
  /** Why the API server did not accept the Certificate. */
  certificateRefusal?: string
}
