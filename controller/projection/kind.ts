// What each kind of custom resource gives to the operator. `controller/kinds.ts` lists the kinds.
import type { StorelessCore } from '#core/context.ts'
import type { Fence } from '#core/mirror/fence.ts'
import type { MirrorChange } from '#core/mirror/mirror-change.ts'
import type { Lookup } from '#core/webhook/address/vet-target.ts'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import type { Logger } from '#core/platform/log.ts'
import type { Kind } from '../resource/kind.ts'
import type { EventRecorder } from '../runtime/event-recorder.ts'
import type { RuntimeClock } from '../runtime/runtime-clock.ts'

export interface OperatorContext {
  core: StorelessCore
  kube: Kube
  /** Namespace of the installation. */
  namespace: string
  keysNamespace: string
  events: EventRecorder
  /** Resolves the names of webhooks; absent: as the system does. */
  lookup?: Lookup
  clock: RuntimeClock
  log: Logger
}

/** While this process leads. */
export interface Leadership {
  fence: Fence
  /** Aborted when it no longer leads. */
  signal: AbortSignal
  /** Waits for the turn of a write to the API server; all kinds share the rate. Throws the signal's reason. */
  takeWrite: () => Promise<void>
  /** Kubernetes shows these changes. */
  acknowledge: (changes: readonly MirrorChange[]) => void
  /** The loss that a human has accepted, by the time at which it was seen. */
  acceptedLoss: () => Promise<string | undefined>
  /** Ends the leadership: another process leads. */
  fenced: (error: Error) => void
}

export interface MirroredKind {
  definition: Kind
  change: MirrorChange['kind']
  /** Starts to watch the objects. Every process does, so that a new leader begins with all of them. */
  watch: (context: OperatorContext) => WatchedKind
}

export interface WatchedKind extends AsyncDisposable {
  /** Resolves when all objects are known. */
  synced: Promise<void>
  /** Why the API server's objects cannot be read at the moment; undefined while they can. */
  failure: () => unknown
  lead: (leadership: Leadership) => LeadingKind
}

/** Disposing ends the running reconciles. */
export interface LeadingKind extends AsyncDisposable {
  /** Queues the object of a row that has changed. */
  changed: (change: MirrorChange) => void
  /** Compares all rows with all objects, and queues what differs. */
  sweep: () => Promise<SweepReport>
  /** How long the longest running reconcile has been running. */
  oldestMs: () => number
}

export interface SweepReport {
  /** Rows whose objects have gone. */
  orphans: { kind: string; id: string; namespace: string; name: string; since: string }[]
  /** Sentences about what needs a human. */
  problems: string[]
}
