// node controller/preflight/main.ts: whether an upgrade to this version can succeed. Changes nothing.
import { listenForShutdown } from '#core/platform/process/shutdown-signal.ts'
import { refuseArguments, runProcess } from '#core/platform/process/run-process.ts'
import { readCommandSettings } from '../config.ts'
import { preflight } from './preflight.ts'

await runProcess(listenForShutdown({ withParent: false }), async () => {
  refuseArguments('sealwright preflight', process.argv.slice(2))
  for (const line of await preflight(readCommandSettings())) console.log(line)
})
