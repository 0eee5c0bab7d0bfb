// `npm run start:split`: the three tiers as separate processes on real servers on this machine.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { runSplit } from './run-split.ts'

const PROCESSES = [
  { name: 'api', command: ['api/main.ts'] },
  { name: 'relay', command: ['workers/main.ts', 'relay'] },
  { name: 'mail', command: ['workers/main.ts', 'mail'] },
  { name: 'seal', command: ['workers/main.ts', 'seal'] },
  { name: 'deliver', command: ['workers/main.ts', 'deliver'] },
  { name: 'controller', command: ['controller/main.ts'] },
]

await runProcess(listenForShutdown({ withParent: true }), (stop) => runSplit(stop, { processes: PROCESSES }))
