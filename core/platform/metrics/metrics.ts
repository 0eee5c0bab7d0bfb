// Every metric of the service. Labels come from short fixed lists: no ids, no addresses, no personal data. The table in docs/operations.md is checked
// against this file.
import { Counter, Gauge, Histogram } from 'prom-client'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const WORK_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** By the route's pattern, never by the path. */
export const httpRequestDuration = new Histogram({
  name: 'sealwright_http_request_duration_seconds',
  help: 'Time from the head of a request to the end of its answer.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: REQUEST_SECONDS,
})

export const workAttempts = new Counter({
  name: 'sealwright_work_attempts_total',
  help: 'Attempts at jobs by outcome: done, failed (tried again later), dead_lettered (only a retry by hand runs it again) or superseded (another worker took it over, finished it or dropped it).',
  labelNames: ['kind', 'outcome'] as const,
})

export const workDuration = new Histogram({
  name: 'sealwright_work_duration_seconds',
  help: 'Time of one try of one piece of work.',
  labelNames: ['kind', 'outcome'] as const,
  buckets: WORK_SECONDS,
})

export const workDelay = new Histogram({
  name: 'sealwright_work_delay_seconds',
  help: 'Time from when a job was wanted to when it was done: of a seal from the last signature to the stored copies, of a mail to the answer of the server.',
  labelNames: ['kind'] as const,
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400],
})

export const signingCertificateEnd = new Gauge({
  name: 'sealwright_signing_certificate_not_after_timestamp_seconds',
  help: 'Until when the certificate that seals here is valid; missing in a process that does not seal.',
})
// Its initial value 0 would mean a certificate that expired in 1970.
signingCertificateEnd.remove()

export const sweeps = new Counter({
  name: 'sealwright_sweeps_total',
  help: 'Runs of what the controller does by the clock, by outcome: done or failed (tried again at the next interval).',
  labelNames: ['sweep', 'outcome'] as const,
})

export const sweptRows = new Counter({
  name: 'sealwright_swept_total',
  help: 'What the runs have worked through.',
  labelNames: ['sweep'] as const,
})

export const sweptAt = new Gauge({
  name: 'sealwright_sweep_done_timestamp_seconds',
  help: 'When the last run ended that did not fail, by the clock of the process.',
  labelNames: ['sweep'] as const,
})

export const sealStageDuration = new Histogram({
  name: 'sealwright_seal_stage_duration_seconds',
  help: 'Time of one stage of sealing: read the original, seal it with its own check, store the copy, record that the envelope is sealed.',
  labelNames: ['stage'] as const,
  buckets: WORK_SECONDS,
})

export const workWaiting = new Gauge({
  name: 'sealwright_work_waiting',
  help: 'Jobs in Postgres that wait or run.',
  labelNames: ['kind'] as const,
})

export const workOldestAge = new Gauge({
  name: 'sealwright_work_oldest_age_seconds',
  help: 'For how long the oldest waiting job has been wanted, however often it was tried; 0 when none waits.',
  labelNames: ['kind'] as const,
})

export const workDeadLettered = new Gauge({
  name: 'sealwright_work_dead_lettered',
  help: 'Jobs that are not tried again before an operator retries them.',
  labelNames: ['kind'] as const,
})

export const eventsReleasedUnsealed = new Counter({
  name: 'sealwright_events_released_unsealed_total',
  help: 'Events envelope.completed that were released after 15 minutes without the sealed copies.',
})

export const checkOk = new Gauge({
  name: 'sealwright_check_ok',
  help: 'Checks of /readyz: 1 when well, 0 when not; asked when metrics are read.',
  labelNames: ['check'] as const,
})

export const outboxPublished = new Counter({
  name: 'sealwright_outbox_published_total',
  help: 'Outbox rows that this process has published.',
})

export const notificationsReceived = new Counter({
  name: 'sealwright_notifications_total',
  help: 'Notifications that this process received, by verdict: ack, nak (delivered again later) or term (never).',
  labelNames: ['role', 'verdict'] as const,
})

export const postgresTransactions = new Gauge({
  name: 'sealwright_postgres_transactions',
  help: 'Transactions of this process by state: waiting for a connection of its pool, or open on one.',
  labelNames: ['state'] as const,
})

export const threadPoolTasks = new Counter({
  name: 'sealwright_thread_pool_tasks_total',
  help: 'Tasks of a thread pool by outcome: finished, failed, lost (its thread was killed for time or memory) or refused (the line was full).',
  labelNames: ['pool', 'outcome'] as const,
})

export const threadPoolWaiting = new Gauge({
  name: 'sealwright_thread_pool_waiting',
  help: 'Tasks that wait for a thread.',
  labelNames: ['pool'] as const,
})

export const threadPoolRunning = new Gauge({
  name: 'sealwright_thread_pool_running',
  help: 'Tasks that run on a thread.',
  labelNames: ['pool'] as const,
})

export const objectStoreDuration = new Histogram({
  name: 'sealwright_object_store_duration_seconds',
  help: 'Time of one operation of the object store with its own tries, by outcome: ok or the kind of fault.',
  labelNames: ['operation', 'outcome'] as const,
  buckets: WORK_SECONDS,
})

export const mailAnswers = new Counter({
  name: 'sealwright_mail_answers_total',
  help: 'What the mail server said: accepted, delayed (or hung up on this mail alone), refused, denied when it lets us send nothing, or unreachable when it said nothing.',
  labelNames: ['answer'] as const,
})
