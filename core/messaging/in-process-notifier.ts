// The notifier within one process: a short queue per subject. A message that does not fit is found by the next poll of Postgres.
import type { WorkSubject } from './subjects.ts'
import type { Notifier, NotifierMessage, Notification, Verdict } from './notifier.ts'

/** Undelivered notifications per subject; the oldest is dropped first. */
const MOST_WAITING = 1_000

type Taker = (ring: Notification) => void

class Line {
  readonly #waiting: NotifierMessage[] = []
  readonly #takers = new Set<Taker>()

  ring(message: NotifierMessage): void {
    const [taker] = this.#takers
    if (taker) {
      this.#takers.delete(taker)
      taker(this.#toRing(message))
      return
    }
    this.#waiting.push(message)
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()
  }

  async next(waitMs: number, signal: AbortSignal): Promise<Notification | undefined> {
    if (signal.aborted) return undefined
    const message = this.#waiting.shift()
    if (message) return this.#toRing(message)
    return new Promise((resolve) => {
      const end = (ring?: Notification): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        this.#takers.delete(end)
        resolve(ring)
      }
      const giveUp = (): void => end()
      const timer = setTimeout(giveUp, waitMs)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#takers.add(end)
    })
  }

  #toRing(message: NotifierMessage): Notification {
    let settled = false
    return {
      body: message.body,
      traceParent: message.traceParent,
      extend: () => {},
      settle: (verdict: Verdict) => {
        if (settled) return
        settled = true
        if (verdict.kind === 'nak') setTimeout(() => this.ring(message), verdict.seconds * 1000).unref()
      },
    }
  }
}

/** A notifier for relay and workers in one process. */
export function inProcessNotifier(): Notifier {
  const lines = new Map<string, Line>()
  const lineOf = (subject: string): Line => {
    const line = lines.get(subject) ?? new Line()
    lines.set(subject, line)
    return line
  }
  return {
    async publish(messages) {
      for (const message of messages) lineOf(message.subject).ring(message)
    },
    next: (subject: WorkSubject, waitMs, signal) => lineOf(subject).next(waitMs, signal),
  }
}
