// node workers/main.ts ROLE...: the queue consumers and their threads. Any number of processes may run, with any roles.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { widenThreadPool } from '#core/platform/process/widen-thread-pool.ts'

// Before loading anything else, which takes up to a second: a container's first process ignores signals without a listener.
const stop = listenForShutdown({ withParent: false })
if (process.argv.includes('deliver')) widenThreadPool()
const { runWorkers } = await import('./run-workers.ts')
await runWorkers(stop)
