// What an error of a list or a watch means for the next try. Pure.
import { KubeError, KubeUnreachable } from '#core/platform/kubernetes/kube-error.ts'

export type FailureReason = 'connection' | 'silent' | 'malformed' | 'expired' | 'throttled' | 'refused' | 'server'

export interface WatchFailure {
  reason: FailureReason
  /** The server does not have the changes since our last version: a list is due. */
  isOutdated: boolean
  /** How long the server wants us to wait. */
  retryAfterMs?: number
}

/** No byte came for too long. */
export class SilentWatch extends Error {
  override readonly name = 'SilentWatch'
}

/** The server is at an older version than we are, for example after a restore of etcd. */
export class OlderServer extends Error {
  override readonly name = 'OlderServer'
}

/** The meaning of an error. Errors that do not come from the API server count as those of a connection. */
export function failureOf(error: unknown): WatchFailure {
  if (error instanceof SilentWatch) return { reason: 'silent', isOutdated: false }
  if (error instanceof OlderServer) return { reason: 'expired', isOutdated: true }
  if (error instanceof KubeUnreachable)
    return { reason: error.reason === 'malformed' ? 'malformed' : 'connection', isOutdated: false }
  if (!(error instanceof KubeError)) return { reason: 'connection', isOutdated: false }
  const { retryAfterMs } = error
  return { reason: reasonOf(error), isOutdated: isOutdated(error), ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Whether a server refuses to stream lists: it is too old, or the feature is off. */
export function refusesStreams(error: unknown): boolean {
  return error instanceof KubeError && (error.status === 400 || error.status === 422)
}

function reasonOf({ status, reason }: KubeError): FailureReason {
  if (status === 410 || reason === 'Expired' || reason === 'Gone') return 'expired'
  if (status === 429) return 'throttled'
  return status >= 500 ? 'server' : 'refused'
}

/** 404: the kind was removed, and its objects with it. */
function isOutdated(error: KubeError): boolean {
  return reasonOf(error) === 'expired' || error.status === 404 || /too large resource version/i.test(error.message)
}
