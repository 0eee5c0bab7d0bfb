// `npm run start:split`: the three tiers as separate processes on real servers on this machine.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { SPLIT_PROCESSES } from './processes.ts'
import { runSplit } from './run-split.ts'

await runProcess(listenForShutdown({ withParent: true }), (stop) => runSplit(stop, { processes: SPLIT_PROCESSES }))
