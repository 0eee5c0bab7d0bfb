// As `npm run start:split`, on a Postgres of the test, where each process signs in with the user of its component.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { runProcess } from '#core/platform/process/run-process.ts'
import { SPLIT_PROCESSES } from '../../../hack/split/processes.ts'
import { runSplit } from '../../../hack/split/run-split.ts'

await runProcess(listenForShutdown({ withParent: true }), (stop) =>
  runSplit(stop, { processes: SPLIT_PROCESSES, makesDatabaseUsers: true }),
)
