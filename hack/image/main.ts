// `sealwright COMMAND`: a process of the service, or a command of the command line. In the image it is process 1.
import { type Process, readCommandLine } from './processes.ts'

const USAGE_EXIT_CODE = 2

function readProcess(): Process | undefined {
  try {
    return readCommandLine(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = USAGE_EXIT_CODE
    return undefined
  }
}

const chosen = readProcess()
if (chosen) {
  const file = new URL(`../../${chosen.file}`, import.meta.url)
  // As if Node had been started with that file: a process of its own would have to forward signals and exit codes.
  process.argv = [process.execPath, file.pathname, ...chosen.arguments]
  await import(file.href)
}
