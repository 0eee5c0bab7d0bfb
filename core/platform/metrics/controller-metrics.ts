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
