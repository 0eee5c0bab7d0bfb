// Reports to `npm test`: the counts, the files whose process crashed, and whether anything else went wrong. Prints the cost of each layer.
import { writeFileSync } from 'node:fs'
import { describeCosts, LAYER_BUDGETS } from '../test/layer-budgets.ts'

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
    printCosts(modules)
  }
}

/** `COSTLIEST_FILES`: how many files are listed as well. */
function printCosts(modules) {
  const costs = modules.map((file) => ({
    layer: file.project.name,
    file: file.relativeModuleId,
    seconds: file.meta().processorSeconds ?? 0,
  }))
  const lines = describeCosts(costs, LAYER_BUDGETS, Number(process.env['COSTLIEST_FILES'] ?? 0))
  if (lines.length > 0) console.log(['Processor time:', ...lines].join('\n  '))
}

const tests = (file, state) => [...file.children.allTests(state)].length
const sum = (files, count) => files.reduce((total, file) => total + count(file), 0)
