// What `npm test` needs to know of a run: the counts, the files whose process the engine lost, and whether anything else went wrong.
import { writeFileSync } from 'node:fs'

/** V8's own checks end a process with SIGTRAP, its stray accesses with the others; lack of memory (SIGABRT, SIGKILL) is no fault of the engine. */
const ENGINE_DEATH = /^Worker exited unexpectedly with signal SIG(TRAP|SEGV|ILL) /

/** Writes `{ passed, failed, lostFiles, otherErrors }` as JSON to the file that `TEST_COUNTS_FILE` names. */
export default class CountReporter {
  /** Called by vitest with all files of the run and the errors that belong to no test. */
  onTestRunEnd(modules, unhandledErrors) {
    const lost = modules.filter((file) => !['passed', 'failed', 'skipped'].includes(file.state()))
    const ended = modules.filter((file) => !lost.includes(file))
    const engineDeaths = unhandledErrors.filter(({ cause }) => ENGINE_DEATH.test(cause?.message ?? ''))
    const counts = {
      passed: sum(ended, (file) => tests(file, 'passed')),
      // A file that breaks before its first test, or after its last, has no test that failed.
      failed: sum(ended, (file) => tests(file, 'failed') || Number(file.state() === 'failed')),
      lostFiles: lost.map((file) => file.relativeModuleId),
      otherErrors: unhandledErrors.length - engineDeaths.length,
    }
    writeFileSync(process.env['TEST_COUNTS_FILE'], JSON.stringify(counts))
  }
}

const tests = (file, state) => [...file.children.allTests(state)].length
const sum = (files, count) => files.reduce((total, file) => total + count(file), 0)
