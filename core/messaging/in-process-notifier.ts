// The notifier within one process: a short queue per subject. The next poll of Postgres finds the job of a message that was dropped.
import type { Subject } from './subjects.ts'
import type { Notifier, NotifierMessage, Notification, Verdict } from './notifier.ts'

/** Undelivered notifications per subject; the oldest is dropped first. */
const MOST_WAITING = 1_000

type Taker = (notification: Notification) => void

class Queue {
  readonly #waiting: NotifierMessage[] = []
  readonly #takers = new Set<Taker>()

  push(message: NotifierMessage): void {
    const [taker] = this.#takers
    if (taker) {
      this.#takers.delete(taker)
      taker(this.#toNotification(message))
      return
    }
    this.#waiting.push(message)
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()
  }

  async next(waitMs: number, signal: AbortSignal): Promise<Notification | undefined> {
    if (signal.aborted) return undefined
    const message = this.#waiting.shift()
    if (message) return this.#toNotification(message)
    return new Promise((resolve) => {
      const end = (notification?: Notification): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        this.#takers.delete(end)
        resolve(notification)
      }
      const giveUp = (): void => end()
      const timer = setTimeout(giveUp, waitMs)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#takers.add(end)
    })
  }

  #toNotification(message: NotifierMessage): Notification {
    let settled = false
    return {
      body: message.body,
      traceParent: message.traceParent,
      extend: () => {},
      settle: (verdict: Verdict) => {
        if (settled) return
        settled = true
        if (verdict.kind === 'nak') setTimeout(() => this.push(message), verdict.seconds * 1000).unref()
      },
    }
  }
}

/** A notifier for relay and workers in one process. */
export function inProcessNotifier(): Notifier {
  const queues = new Map<string, Queue>()
  const queueOf = (subject: string): Queue => {
    const queue = queues.get(subject) ?? new Queue()
    queues.set(subject, queue)
    return queue
  }
  return {
    async publish(messages) {
      for (const message of messages) queueOf(message.subject).push(message)
    },
    next: (subject: Subject, waitMs, signal) => queueOf(subject).next(waitMs, signal),
  }
}
