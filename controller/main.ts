// node controller/main.ts: the scheduled jobs. Several may run: each job claims its rows.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'

// Before loading anything else, which takes up to a second: a container's first process ignores signals without a listener.
const stop = listenForShutdown({ withParent: false })
const { runController } = await import('./run-controller.ts')
await runController(stop)
