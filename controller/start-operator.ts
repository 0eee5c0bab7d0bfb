// The part of the controller that works with Kubernetes. Every process watches; the one that holds the Lease writes.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { StorelessCore } from '#core/context.ts'
import { outboxAgeSeconds } from '#core/mirror/outbox-age.ts'
import { readTransitions } from '#core/mirror/read-transitions.ts'
import type { Lookup } from '#core/webhook/address/vet-target.ts'
import { countOrphanedSigningKeys } from '#core/signing-key/delete-managed-key.ts'
import { countOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import { type Kube, namespaceOf, openKube } from '#core/platform/kubernetes/open-kube.ts'
import { mirrorOrphans, outboxAge } from '#core/platform/metrics/controller-metrics.ts'
import { type Checks, optional, required } from '#core/platform/process/health-checks.ts'
import { KINDS } from './kinds.ts'
import { releaseAtFinalStop } from './projection/final-stop.ts'
import { lead, type Watched } from './projection/lead.ts'
import type { MirroredKind, OperatorContext } from './projection/kind.ts'
import { type EventRecorder, startEventRecorder } from './runtime/event-recorder.ts'
import { startElector } from './runtime/leader-elector.ts'
import { SIGNING_KEYS } from './signing-key/resource.ts'
import { type RuntimeClock, systemClock } from './runtime/runtime-clock.ts'

export interface Operator extends AsyncDisposable {
  ready: Checks
  alive: Checks
  /** Reads what the gauges show. */
  measure: () => Promise<void>
  isLeader: () => boolean
}

export interface OperatorOptions {
  kinds?: readonly MirroredKind[]
  clock?: RuntimeClock
  lookup?: Lookup
}

/** Far longer than any reconcile takes. */
const STUCK_AFTER_MS = 10 * 60_000
const LEASE = 'sealwright-controller'

/** Runs until disposed, also while the API server is away; then nothing is lost, only later. Throws StartupError when the kubeconfig cannot be used. */
export async function startOperator(
  core: StorelessCore,
  { kinds = KINDS, clock = systemClock, lookup }: OperatorOptions = {},
): Promise<Operator> {
  const { settings, log } = core
  const identity = `${hostname()}_${randomUUID()}`
  await using stack = new AsyncDisposableStack()
  const kube = stack.use(await openKube(settings))
  const events = stack.use(startEventRecorder({ kube, clock, log, controller: 'sealwright.io/controller', instance: identity }))
  const context = { ...newContext(core, kube, events, clock), ...(lookup && { lookup }) }
  const watched = kinds.map((kind): Watched => ({ kind, watched: stack.use(kind.watch(context)) }))
  const places = kinds.map(({ definition: { resource } }) => ({ resource, namespace: placeOf(context, resource.kind) }))
  // After the loops, which would add the finalizers again.
  stack.defer(() => releaseAtFinalStop(context, places))
  const loops = new Map<string, () => number>()
  const elector = stack.use(
    startElector({
      kube,
      namespace: context.namespace,
      name: LEASE,
      identity,
      clock,
      log,
      durationMs: settings.leaseDurationSeconds * 1000,
      renewDeadlineMs: settings.leaseRenewDeadlineSeconds * 1000,
      retryPeriodMs: settings.leaseRetryPeriodSeconds * 1000,
      leastTransitions: () => readTransitions(core),
      lead: (signal, transitions) => lead({ context, kinds: watched, holder: identity, loops }, signal, transitions),
    }),
  )
  const running = stack.move()
  return {
    ready: { kubernetes: optional(async () => assertReachable(watched)) },
    alive: { operator: required(async () => assertMoving(loops)) },
    measure: () => measure(core),
    isLeader: () => elector.isLeader(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function newContext(core: StorelessCore, kube: Kube, events: EventRecorder, clock: RuntimeClock): OperatorContext {
  const namespace = namespaceOf(core.settings)
  return { core, kube, namespace, keysNamespace: core.settings.kubeKeysNamespace ?? namespace, events, clock, log: core.log }
}

function placeOf({ namespace, keysNamespace }: OperatorContext, kind: string): string {
  return kind === SIGNING_KEYS.kind ? keysNamespace : namespace
}

function assertReachable(watched: readonly Watched[]): void {
  const failed = watched.find((each) => each.watched.failure() !== undefined)
  if (!failed) return
  const error = failed.watched.failure()
  throw new Error(`${failed.kind.definition.resource.kind}: ${error instanceof Error ? error.message : String(error)}`)
}

function assertMoving(loops: ReadonlyMap<string, () => number>): void {
  const stuck = [...loops].find(([, ageMs]) => ageMs() > STUCK_AFTER_MS)
  if (stuck) throw new Error(`${stuck[0]}: at one piece of work for ${Math.round(stuck[1]() / 1000)} s`)
}

async function measure(core: StorelessCore): Promise<void> {
  const [age, webhooks, keys] = await Promise.all([outboxAgeSeconds(core), countOrphaned(core), countOrphanedSigningKeys(core)])
  outboxAge.set(age)
  mirrorOrphans.set(webhooks + keys)
}
