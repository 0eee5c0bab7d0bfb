// Keeps the audit trail's open and close events paired: one open while documents are on screen, one close with the reading time.
// Uses no browser API, so the order of calls can be unit-tested.
import type { Failure, Outcome } from '../../http/failure.ts'

export interface ViewRecorderCalls {
  opened: () => Promise<Outcome<unknown>>
  closed: (durationMs: number) => void
  nowMs: () => number
}

export interface ViewRecorder {
  /** Documents are on screen. Returns the failure if recording failed. */
  open: () => Promise<Failure | undefined>
  /** Documents left the screen. */
  close: () => void
  /** Ensures that the service has at least one open event, which signing requires. */
  ensureRecorded: () => Promise<Failure | undefined>
  /** The service has no open event: the next ensureRecorded records one. */
  forgetRecord: () => void
}

// The API rejects longer durations (decisions, view-closed).
const MAX_DURATION_MS = 86_400_000

export function newViewRecorder(calls: ViewRecorderCalls): ViewRecorder {
  let openedAtMs: number | undefined
  let isRecorded = false

  const record = async () => {
    const outcome = await calls.opened()
    if (outcome.ok) isRecorded = true
    return outcome.ok ? undefined : outcome.failure
  }

  return {
    open: async () => {
      if (openedAtMs !== undefined) return undefined
      openedAtMs = calls.nowMs()
      return record()
    },
    close: () => {
      if (openedAtMs === undefined) return
      calls.closed(Math.min(MAX_DURATION_MS, Math.max(0, Math.round(calls.nowMs() - openedAtMs))))
      openedAtMs = undefined
    },
    ensureRecorded: async () => (isRecorded ? undefined : record()),
    forgetRecord: () => {
      isRecorded = false
    },
  }
}
