// A countdown to one deadline.
import { useEffect, useState } from 'react'
import { secondsLeft } from './countdown.ts'

const TICK_MS = 500

/** Seconds until the deadline, updated every second; 0 once it is over or if there is none. */
export function useSecondsLeft(deadlineMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const running = deadlineMs !== undefined && deadlineMs > nowMs
  useEffect(() => {
    if (deadlineMs === undefined) return undefined
    setNowMs(Date.now())
    if (!running) return undefined
    const timer = window.setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [deadlineMs, running])
  return deadlineMs === undefined ? 0 : secondsLeft(deadlineMs, nowMs)
}
