// node api/main.ts: the API and its pages. Stateless: any number of processes may run behind one address.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'

// Before loading anything else, which takes up to a second: a container's first process ignores signals without a listener.
const stop = listenForShutdown({ withParent: false })
const { runApi } = await import('./run-api.ts')
await runApi(stop)
