// Every metric of the service. Label values come from short lists: no ids, no addresses, no personal data. A test compares docs/metrics.md with this file.
import { Counter, Gauge, Histogram } from 'prom-client'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Labelled with the route pattern, never with the path. */
export const httpRequestDuration = new Histogram({
  name: 'sealwright_http_request_duration_seconds',
  help: 'Time from the request headers to the end of the response.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: REQUEST_SECONDS,
})

export const workAttempts = new Counter({
  name: 'sealwright_work_attempts_total',
  help: 'Attempts to run jobs by outcome: done, failed (retried later), dead_lettered (retried only by an operator) or superseded (another worker took over, finished or deleted the job).',
  labelNames: ['kind', 'outcome'] as const,
})

export const workDuration = new Histogram({
  name: 'sealwright_work_duration_seconds',
  help: 'Duration of one attempt to run a job.',
  labelNames: ['kind', 'outcome'] as const,
  buckets: WORK_SECONDS,
})

export const workDelay = new Histogram({
  name: 'sealwright_work_delay_seconds',
  help: 'Time from the request of a job to its end: for seals from the last signature to the stored copies, for mails to the reply of the mail server.',
  labelNames: ['kind'] as const,
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400],
})

export const signingCertificateEnd = new Gauge({
  name: 'sealwright_signing_certificate_not_after_timestamp_seconds',
  help: 'When the first of the active signing certificates expires; only in workers.',
})
// Its initial value 0 would look like an expired certificate.
signingCertificateEnd.remove()

export const signingKeyExpiry = new Gauge({
  name: 'sealwright_signing_key_expiry_seconds',
  help: 'Seconds until the certificate of a key that seals expires; negative after it. The label is the object of Kubernetes, installation, or the beginning of the fingerprint.',
  labelNames: ['key'] as const,
})

export const sealKeyWaits = new Counter({
  name: 'sealwright_seal_key_waits_total',
  help: 'Attempts to seal that found no signing key to use, by reason: NoActiveKey, Compromised, LessTrust (only a self-signed key is left) or NotLoaded.',
  labelNames: ['reason'] as const,
})

export const sweepRuns = new Counter({
  name: 'sealwright_sweep_runs_total',
  help: 'Runs of the periodic sweeps of the controller by outcome: done or failed (retried at the next interval).',
  labelNames: ['sweep', 'outcome'] as const,
})

export const sweepRows = new Counter({
  name: 'sealwright_sweep_rows_total',
  help: 'Rows that sweeps have processed.',
  labelNames: ['sweep'] as const,
})

export const sweepLastSuccess = new Gauge({
  name: 'sealwright_sweep_last_success_timestamp_seconds',
  help: 'When the last successful run ended, by the clock of the process.',
  labelNames: ['sweep'] as const,
})

export const sealStageDuration = new Histogram({
  name: 'sealwright_seal_stage_duration_seconds',
  help: 'Duration of one stage of sealing: read the original, seal and verify it, store the sealed copy, record that the envelope is sealed.',
  labelNames: ['stage'] as const,
  buckets: WORK_SECONDS,
})

export const workWaiting = new Gauge({
  name: 'sealwright_work_waiting',
  help: 'Jobs in Postgres that are waiting or running.',
  labelNames: ['kind'] as const,
})

export const workWaitingSeconds = new Gauge({
  name: 'sealwright_work_waiting_seconds',
  help: 'How long one worker process of the role needs for the jobs that are due or run, as measured with earlier ones. For autoscalers.',
  labelNames: ['role'] as const,
})

export const workOldestAge = new Gauge({
  name: 'sealwright_work_oldest_age_seconds',
  help: 'Time since the oldest waiting job was requested, including all attempts; 0 if none is waiting.',
  labelNames: ['kind'] as const,
})

export const workDeadLettered = new Gauge({
  name: 'sealwright_work_dead_lettered',
  help: 'Jobs that are retried only by an operator.',
  labelNames: ['kind'] as const,
})

export const eventsReleasedUnsealed = new Counter({
  name: 'sealwright_events_released_unsealed_total',
  help: 'Events envelope.completed that were released after 15 minutes without the sealed copies.',
})

export const checkOk = new Gauge({
  name: 'sealwright_check_ok',
  help: 'Checks of /readyz: 1 passing, 0 failing. They run when metrics are scraped.',
  labelNames: ['check'] as const,
})

export const outboxPublished = new Counter({
  name: 'sealwright_outbox_published_total',
  help: 'Outbox rows that this process has published.',
})

export const notificationsReceived = new Counter({
  name: 'sealwright_notifications_total',
  help: 'Notifications that this process received, by verdict: ack, nak (redelivered later) or term (not redelivered).',
  labelNames: ['role', 'verdict'] as const,
})

export const postgresTransactions = new Gauge({
  name: 'sealwright_postgres_transactions',
  help: 'Transactions of this process by state: waiting for a connection of the pool, or open.',
  labelNames: ['state'] as const,
})

export const threadPoolTasks = new Counter({
  name: 'sealwright_thread_pool_tasks_total',
  help: 'Tasks of a pool of threads or processes by outcome: finished, failed, lost (the thread or process was killed because of time or memory) or refused (the queue was full).',
  labelNames: ['pool', 'outcome'] as const,
})

export const threadPoolWaiting = new Gauge({
  name: 'sealwright_thread_pool_waiting',
  help: 'Tasks waiting for a thread or process.',
  labelNames: ['pool'] as const,
})

export const threadPoolRunning = new Gauge({
  name: 'sealwright_thread_pool_running',
  help: 'Tasks running on a thread or process.',
  labelNames: ['pool'] as const,
})

export const objectStoreDuration = new Histogram({
  name: 'sealwright_object_store_duration_seconds',
  help: 'Duration of one object store operation including retries, by outcome: ok or the kind of error.',
  labelNames: ['operation', 'outcome'] as const,
  buckets: WORK_SECONDS,
})

export const storeRolledBack = new Gauge({
  name: 'sealwright_store_rolled_back',
  help: '1 when the store (database or objects) is at an earlier time than the other one, after a restore; 0 otherwise. Only in controllers.',
  labelNames: ['store'] as const,
})

export const smtpDeliveries = new Counter({
  name: 'sealwright_smtp_deliveries_total',
  help: 'Attempts to deliver a mail to the mail server by outcome: accepted, delayed (retried later), refused (this mail), denied (all mails) or unreachable.',
  labelNames: ['outcome'] as const,
})

export const webhookAttempts = new Counter({
  name: 'sealwright_webhook_attempts_total',
  help: 'Attempts to deliver an event by outcome: delivered, rejected (retried later) or gave_up (the last one), with the code of the failure or none.',
  labelNames: ['outcome', 'failure'] as const,
})

export const webhookAttemptDuration = new Histogram({
  name: 'sealwright_webhook_attempt_duration_seconds',
  help: 'Duration of one attempt to deliver an event: from the lookup of the name to the status of the answer.',
  labelNames: ['outcome'] as const,
  buckets: WORK_SECONDS,
})

export const webhookInFlight = new Gauge({
  name: 'sealwright_webhook_in_flight',
  help: 'Deliveries that this process makes now, by lane: slow are those to webhooks that let an attempt time out within the last 5 minutes.',
  labelNames: ['lane'] as const,
})

export const webhookRefusals = new Counter({
  name: 'sealwright_webhook_refusals_total',
  help: 'URLs and addresses that the address check refused, at the creation of a webhook and before attempts, by the code of the failure.',
  labelNames: ['failure'] as const,
})

export const webhooksDisabled = new Gauge({
  name: 'sealwright_webhooks_disabled',
  help: 'Disabled webhooks by reason.',
  labelNames: ['reason'] as const,
})
