// When to stop: on SIGTERM or Ctrl-C and, if requested, when the parent process is gone.

const PARENT_CHECK_MS = 500

export interface Stop {
  requested: Promise<void>
  signal: AbortSignal
}

/** Listens from now on; a second signal does not interrupt the clean stop of the first. */
export function listenForShutdown(options: { withParent: boolean }): Stop {
  const controller = new AbortController()
  const requested = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  if (options.withParent) {
    // A parent that was killed with SIGKILL cannot forward a signal; its child sees a new parent id.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && controller.abort(), PARENT_CHECK_MS)
    watch.unref()
  }
  return { requested, signal: controller.signal }
}
