// What the reconciles of one kind share during one leadership.
import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'
import type { ObjectStore } from '../runtime/object-store.ts'
import type { Leadership, OperatorContext } from './kind.ts'
import type { VanishedObjects } from './vanished-objects.ts'

export interface KindContext<T extends KubeObject> extends OperatorContext {
  leadership: Leadership
  store: ObjectStore<T>
  vanished: VanishedObjects
  /** Keys whose last write met another version than the cache has. */
  outdated: Set<string>
  holdsDeletions: () => boolean
  /** Whether one more object may be projected. */
  hasRoom: () => boolean
}

/** What one reconcile has done so far: its own cache may not show it yet. */
export interface Progress<T extends KubeObject> {
  /** Object as the API server stored it last. */
  object?: T
  isDeleted?: true
}

/** Records what a write left of the object. */
export function noteStored<T extends KubeObject>(progress: Progress<T>, stored: T | undefined): void {
  if (stored) {
    progress.object = stored
    return
  }
  delete progress.object
  progress.isDeleted = true
}
