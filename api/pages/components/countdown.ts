// Countdowns. Deadlines are times on the visitor's clock, calculated from the seconds that the service sent.

/** The time this many seconds from now. */
export function deadlineAfter(seconds: number, nowMs: number): number {
  return nowMs + Math.max(0, seconds) * 1000
}

/** Whole seconds left, rounded up so that 0 means over; never negative. */
export function secondsLeft(deadlineMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000))
}

/** `m:ss` below an hour, `h:mm:ss` above. */
export function formatSeconds(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
