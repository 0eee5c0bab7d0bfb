// Reports to `npm test`: the counts, the files whose process crashed, and whether anything else went wrong.
import { writeFileSync } from 'node:fs'

/** Failed V8 checks end a process with SIGTRAP, invalid memory access with the others; SIGABRT and SIGKILL mean out of memory, not a V8 bug. */
const ENGINE_DEATH = /^Worker exited unexpectedly with signal SIG(TRAP|SEGV|ILL) /

/** Writes `{ passed, failed, lostFiles, otherErrors }` as JSON to the file that `TEST_COUNTS_FILE` names. */
export default class CountReporter {
  /** Called by vitest with all files of the run and the errors outside tests. */
  onTestRunEnd(modules, unhandledErrors) {
    const lost = modules.filter((file) => !['passed', 'failed', 'skipped'].includes(file.state()))
    const ended = modules.filter((file) => !lost.includes(file))
    const engineDeaths = unhandledErrors.filter(({ cause }) => ENGINE_DEATH.test(cause?.message ?? ''))
    const counts = {
      passed: sum(ended, (file) => tests(file, 'passed')),
      // A file that fails before its first test or after its last has no failed test.
      failed: sum(ended, (file) => tests(file, 'failed') || Number(file.state() === 'failed')),
      lostFiles: lost.map((file) => file.relativeModuleId),
      otherErrors: unhandledErrors.length - engineDeaths.length,
    }
    writeFileSync(process.env['TEST_COUNTS_FILE'], JSON.stringify(counts))
  }
}

const tests = (file, state) => [...file.children.allTests(state)].length
const sum = (files, count) => files.reduce((total, file) => total + count(file), 0)
