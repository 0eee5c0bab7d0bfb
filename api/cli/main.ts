// The command line as a process.
import { runCommand } from './run-command.ts'

await runCommand(process.argv.slice(2))
if (process.connected) process.disconnect()
