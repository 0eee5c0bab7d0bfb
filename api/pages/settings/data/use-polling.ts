// Repeats a reading while the page is visible and in use, so that an abandoned tab neither loads the service nor prolongs its session.
import { useEffect, useRef } from 'react'

const IDLE_MS = 10 * 60_000
const SIGNS_OF_USE = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focus'] as const

/** Calls `read` every `intervalMs`; never twice at a time. */
export function usePolling(read: () => Promise<unknown>, intervalMs: number): void {
  const current = useRef(read)
  useEffect(() => {
    current.current = read
  }, [read])

  useEffect(() => {
    let usedAtMs = Date.now()
    let isReading = false
    const noteUse = () => {
      usedAtMs = Date.now()
    }
    const poll = async () => {
      if (isReading || document.visibilityState !== 'visible' || Date.now() - usedAtMs > IDLE_MS) return
      isReading = true
      try {
        await current.current()
      } finally {
        isReading = false
      }
    }
    const timer = window.setInterval(() => void poll(), intervalMs)
    for (const sign of SIGNS_OF_USE) window.addEventListener(sign, noteUse, { passive: true })
    document.addEventListener('visibilitychange', noteUse)
    return () => {
      window.clearInterval(timer)
      for (const sign of SIGNS_OF_USE) window.removeEventListener(sign, noteUse)
      document.removeEventListener('visibilitychange', noteUse)
    }
  }, [intervalMs])
}
