// node workers/main.ts ROLE...: the loops and threads that are fed by queues. Any number of processes may have any roles.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'

// Before anything else is loaded, which takes up to a second: the first process of a container ignores signals without a listener.
const stop = listenForShutdown({ withParent: false })
const { runWorkers } = await import('./run-workers.ts')
await runWorkers(stop)
