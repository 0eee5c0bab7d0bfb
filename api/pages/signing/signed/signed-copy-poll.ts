// When to poll for the signed copies. Bounded, because a page left open for days must not keep polling.

/** `waiting` for other signers, `sealing`, `ready` to download, `archived` after the retention period. */
export type CopyStatus = 'waiting' | 'sealing' | 'ready' | 'archived'

const SEALING_DELAYS_S = [1, 1, 2, 3, 5, 8, 13, 20, 30, 30, 60, 60, 120, 120, 300]
const WAITING_DELAYS_S = [10, 15, 20, 30, 45, 60, 60, 120, 120, 300, 300, 600, 600, 900]
// Download URLs are valid for 60 minutes; a page that stays open gets new ones in time.
const READY_DELAYS_S = Array.from({ length: 12 }, () => 45 * 60)

const DELAYS_S: Record<CopyStatus, readonly number[]> = {
  sealing: SEALING_DELAYS_S,
  waiting: WAITING_DELAYS_S,
  ready: READY_DELAYS_S,
  archived: [],
}

/**
 * Milliseconds until the next poll after `polls` responses with the same status in a row (1 for the first); undefined to stop.
 */
export function nextPollDelayMs(status: CopyStatus, polls: number): number | undefined {
  const delay = DELAYS_S[status][polls - 1]
  return delay === undefined ? undefined : delay * 1000
}
