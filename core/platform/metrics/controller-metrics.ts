// Metrics of the Kubernetes controller. Those of reconciles and queues have the names and labels of controller-runtime, so that its dashboards and
// alerts work. Label values are names of controllers and kinds.
import { Counter, Gauge, Histogram } from 'prom-client'

export const reconciles = new Counter({
  name: 'controller_runtime_reconcile_total',
  help: 'Reconciles by result: success, requeue_after (again later), requeue (again at once), refused (not again until the object changes) or error (retried).',
  labelNames: ['controller', 'result'] as const,
})

export const reconcileErrors = new Counter({
  name: 'controller_runtime_reconcile_errors_total',
  help: 'Reconciles that failed and are retried.',
  labelNames: ['controller'] as const,
})

export const reconcileDuration = new Histogram({
  name: 'controller_runtime_reconcile_time_seconds',
  help: 'Duration of one reconcile.',
  labelNames: ['controller'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
})

export const queueDepth = new Gauge({
  name: 'workqueue_depth',
  help: 'Keys that wait for a reconcile.',
  labelNames: ['name'] as const,
})

export const queueAdds = new Counter({
  name: 'workqueue_adds_total',
  help: 'Keys that were queued.',
  labelNames: ['name'] as const,
})

export const queueDuration = new Histogram({
  name: 'workqueue_queue_duration_seconds',
  help: 'Time that a key waited in the queue.',
  labelNames: ['name'] as const,
  buckets: [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800],
})

export const queueRetries = new Counter({
  name: 'workqueue_retries_total',
  help: 'Retries after failures.',
  labelNames: ['name'] as const,
})

/** The running watches, read when metrics are scraped. */
export const watchSilences = new Set<{ kind: string; silentMs: () => number }>()

export const watchSilence = new Gauge({
  name: 'sealwright_kube_watch_silence_seconds',
  help: 'Time since the last byte of the watch of a kind; a healthy watch is silent for less than 45 s.',
  labelNames: ['kind'] as const,
  collect() {
    this.reset()
    for (const [kind, watches] of Map.groupBy(watchSilences, (watch) => watch.kind))
      this.set({ kind }, Math.max(...watches.map((watch) => watch.silentMs())) / 1000)
  },
})

export const kubeLists = new Counter({
  name: 'sealwright_kube_lists_total',
  help: 'Complete lists of a kind: at the start, and when the server no longer has the changes since the last one.',
  labelNames: ['kind'] as const,
})

export const watchFailures = new Counter({
  name: 'sealwright_kube_watch_failures_total',
  help: 'Watches and lists that ended with an error, by reason: connection, silent, malformed, expired (a list is due), throttled, refused or server.',
  labelNames: ['kind', 'reason'] as const,
})

export const handlerFailures = new Counter({
  name: 'sealwright_kube_handler_failures_total',
  help: 'Changes of objects whose handler threw an error.',
  labelNames: ['kind'] as const,
})

export const leader = new Gauge({
  name: 'sealwright_leader',
  help: '1 in the controller that writes to Kubernetes, 0 in the others.',
})

export const outboxAge = new Gauge({
  name: 'sealwright_mirror_outbox_age_seconds',
  help: 'Time since the oldest change of a webhook or signing key that Kubernetes does not show yet; 0 if there is none. Only in controllers with Kubernetes.',
})

export const mirrorOrphans = new Gauge({
  name: 'sealwright_mirror_orphans',
  help: 'Webhooks that were created in Kubernetes and whose objects disappeared without a deletion; they still receive. Only in controllers with Kubernetes.',
})
