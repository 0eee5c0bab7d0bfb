// Waits until a server accepts requests, by polling its health address.
import { setTimeout as delay } from 'node:timers/promises'

const READY_WITHIN_MS = 10_000
const READY_POLL_MS = 10

/** Undefined once the address answers 200, otherwise an error message. */
export async function awaitAnswer(url: string): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += READY_POLL_MS) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.status === 200) return undefined
    await delay(READY_POLL_MS)
  }
  return `no answer within ${READY_WITHIN_MS / 1000} s`
}
