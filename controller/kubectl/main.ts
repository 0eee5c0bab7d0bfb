// `kubectl-sealwright` as a process.
import { readEnvironment } from '../config.ts'
import { runKubectlCommand } from './run-command.ts'

await runKubectlCommand(process.argv.slice(2), readEnvironment())
if (process.connected) process.disconnect()
