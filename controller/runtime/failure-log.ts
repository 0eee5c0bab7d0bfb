// Logs failures of background work that talks to the API server. An unavailable server fails all of it repeatedly: that is throttled to one sentence.
import { KubeError, KubeUnreachable } from '#core/platform/kubernetes/kube-error.ts'
import type { Logger } from '#core/platform/log.ts'
import { type FailureLog as ProcessFailureLog, newFailureLog as newPlainFailureLog } from '#core/platform/process/failure-log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'

export type FailureLog = ProcessFailureLog

/** Writes bugs as errors under `event`, outages of the API server as warnings under `kubernetes.unavailable`, those of Postgres under `database.unavailable`. */
export function newFailureLog(log: Logger, event: string): FailureLog {
  const plain = newPlainFailureLog(log, event)
  const outage = newThrottledLog(log, 'kubernetes.unavailable')
  return {
    failed(error, fields) {
      const sentence = kubernetesOutageOf(error)
      if (sentence === undefined) plain.failed(error, fields)
      else outage.report(sentence)
    },
    worked() {
      plain.worked()
      outage.recovered()
    },
  }
}

/** The sentence of an error that says that the API server is away or overloaded; undefined for every other error. */
export function kubernetesOutageOf(error: unknown): string | undefined {
  if (error instanceof KubeUnreachable) return unreachable(error)
  if (!(error instanceof KubeError)) return undefined
  return error.status === 429 || error.status >= 500 ? `the API server answers ${error.status}: ${error.message}` : undefined
}

/** Without the path of the call: each key has another one, and would be logged. */
function unreachable({ reason, message, cause }: KubeUnreachable): string {
  if (reason === 'credentials') return message
  if (reason === 'deadline') return 'the API server does not answer in time'
  if (reason === 'malformed') return 'the API server answers what is not JSON'
  return `the API server cannot be reached${cause instanceof Error && cause.message ? ` (${cause.message})` : ''}`
}
