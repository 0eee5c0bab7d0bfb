// Consumes one subject: each of several loops takes a notification, runs its job and settles it. One loop also polls for jobs without a
// notification: late, lost or repeated notifications only change when a job runs.
import type { Notifier, Notification, Verdict } from '#core/messaging/notifier.ts'
import type { Logger } from '#core/platform/log.ts'
import { notificationsReceived } from '#core/platform/metrics/metrics.ts'
import { type FailureLog, newFailureLog } from '#core/platform/process/failure-log.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { inSpan } from '#core/platform/trace/spans.ts'
import type { Subject } from '#core/messaging/subjects.ts'
import type { z } from 'zod'
import { type PollTimer, startPollTimer } from './poll-timer.ts'
import { type Loop, newStopwatch } from './loop.ts'

export interface ConsumerOptions<Message extends z.ZodType> {
  /** For log lines. */
  name: string
  notifier: Notifier
  subject: Subject
  message: Message
  /** Jobs at a time, one per loop. */
  concurrency: number
  /** How often one loop polls; all of them poll while there is work. */
  pollMs: number
  log: Logger
  /**
   * Runs the job that the message names, or without one a due job; false when none was due. Throws only errors that affect every job, such
   * as a lost database; a single job's failure is recorded with it.
   */
  work(wanted: z.output<Message> | undefined): Promise<boolean>
}

/** How long one pull waits, and so the longest time until a loop notices that the notifier is back. */
const LISTEN_MS = 10_000
const EXTEND_EVERY_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** A new process is slow: its first job should not compete with others. */
const OTHERS_START_MS = 1_000

/** Runs until disposed; disposing lets running jobs finish and takes no more. The first loop starts alone, until it has polled once. */
export function startConsumer<Message extends z.ZodType>(options: ConsumerOptions<Message>): Loop {
  const stop = new AbortController()
  const watch = newStopwatch()
  const polled = Promise.withResolvers<void>()
  const work = (wanted?: z.output<Message>) => watch.time(() => options.work(wanted)).finally(polled.resolve)
  const pollTimer = startPollTimer(options.pollMs)
  const failures = newFailureLog(options.log, 'loop.failed')
  const running = Array.from({ length: options.concurrency }, async (_, index) => {
    if (index > 0) await Promise.race([polled.promise, sleep(OTHERS_START_MS, stop.signal)])
    await runLoop({ ...options, work, failures }, pollTimer, stop.signal)
  })
  return {
    busyForMs: watch.longestMs,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(running)
      pollTimer.stop()
    },
  }
}

async function runLoop<Message extends z.ZodType>(
  options: ConsumerOptions<Message> & { failures: FailureLog },
  pollTimer: PollTimer,
  signal: AbortSignal,
): Promise<void> {
  const { notifier, subject, name, failures } = options
  let pauseMs = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const notification = pollTimer.isDue()
      ? undefined
      : await pollTimer.until(signal, (woken) => notifier.next(subject, LISTEN_MS, woken))
    if (!notification && (!pollTimer.isDue() || signal.aborted)) continue
    try {
      if (notification) await answer(options, notification)
      else pollTimer.report(await options.work(undefined))
      pauseMs = FIRST_PAUSE_MS
      failures.worked()
    } catch (error) {
      failures.failed(error, { loop: name, pauseMs })
      await sleep(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
}

/** The only place that settles a notification. Rethrows errors of `work` after a nak. */
async function answer<Message extends z.ZodType>(options: ConsumerOptions<Message>, notification: Notification): Promise<void> {
  const message = options.message.safeParse(notification.body)
  if (!message.success) {
    options.log.warn({ loop: options.name }, 'notification.unreadable')
    settle(options, notification, { kind: 'term' })
    return
  }
  const extending = setInterval(() => notification.extend(), EXTEND_EVERY_MS)
  try {
    const span = { kind: 'consumer', parent: notification.traceParent } as const
    await inSpan(`take ${options.name}`, span, () => options.work(message.data))
    settle(options, notification, { kind: 'ack' })
  } catch (error) {
    settle(options, notification, { kind: 'nak', seconds: LONGEST_PAUSE_MS / 1000 })
    throw error
  } finally {
    clearInterval(extending)
  }
}

function settle({ name }: { name: string }, notification: Notification, verdict: Verdict): void {
  notificationsReceived.inc({ role: name, verdict: verdict.kind })
  notification.settle(verdict)
}
