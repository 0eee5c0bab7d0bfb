// node api/main.ts: the API and its pages. Stateless: any number may run behind one address.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'

// Before all else is loaded, which takes up to a second: to the first process of a container a signal that nobody listens for is none.
const stop = listenForShutdown({ withParent: false })
const { runApi } = await import('./run-api.ts')
await runApi(stop)
