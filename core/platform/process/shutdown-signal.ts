// When to stop: on SIGTERM or Ctrl-C, and where it is asked for, when the process that started this one is gone.

const PARENT_CHECK_MS = 500

export interface Stop {
  requested: Promise<void>
  signal: AbortSignal
}

/** Listens from now on; a second signal does not cut the first one's clean stop short. */
export function listenForShutdown(options: { withParent: boolean }): Stop {
  const controller = new AbortController()
  const requested = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  if (options.withParent) {
    // Whoever was killed outright could pass no signal on; its child sees that it has a new parent.
    const parent = process.ppid
    const watch = setInterval(() => process.ppid !== parent && controller.abort(), PARENT_CHECK_MS)
    watch.unref()
  }
  return { requested, signal: controller.signal }
}
