// `npm run start:operator`: the tiers as separate processes, and the controller with a Kubernetes API server.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { runSplit } from '../split/run-split.ts'
import { prepareKubernetes } from './prepare-kubernetes.ts'

/** One worker process with all roles: its pid is in dev.json. */
const PROCESSES = [
  { name: 'api', command: ['api/main.ts'] },
  { name: 'worker', command: ['workers/main.ts', 'relay', 'mail', 'seal', 'deliver'] },
  { name: 'controller', command: ['controller/main.ts'] },
]

const options = { processes: PROCESSES, prepare: prepareKubernetes }
await runProcess(listenForShutdown({ withParent: true }), (stop) => runSplit(stop, options))
