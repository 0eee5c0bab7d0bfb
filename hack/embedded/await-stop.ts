// When to stop: on SIGTERM or Ctrl-C, or when the process that started this one is gone.

export interface Stop {
  requested: Promise<void>
  signal: AbortSignal
}

/** Listens from now on; a second signal does not cut the first one's clean stop short. */
export function awaitStop(): Stop {
  const controller = new AbortController()
  const requested = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve(), { once: true }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controller.abort())
  // The starter holds the other end of this channel; it closes with the starter, however that ended.
  process.once('disconnect', () => controller.abort())
  return { requested, signal: controller.signal }
}
