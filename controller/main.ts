// node controller/main.ts: what runs by the clock. Several may run: each job claims its rows.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'

// Before all else is loaded, which takes up to a second: to the first process of a container a signal that nobody listens for is none.
const stop = listenForShutdown({ withParent: false })
const { runController } = await import('./run-controller.ts')
await runController(stop)
