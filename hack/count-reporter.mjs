// Reports to `npm test`: the counts, the files whose process crashed, and whether anything else went wrong. Prints the cost of each layer.
import { writeFileSync } from 'node:fs'
import { LAYER_BUDGETS } from '../test/layer-budgets.ts'

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

/** One line for each layer, and as many of the costliest files as `COSTLIEST_FILES` says. */
function printCosts(modules) {
  const costly = modules.filter((file) => file.meta().processorSeconds).toSorted((one, other) => cost(other) - cost(one))
  const layers = Object.entries(Object.groupBy(costly, (file) => file.project.name))
  if (layers.length > 0) console.log('Processor time of each layer:')
  for (const [layer, files] of layers) console.log(`  ${layerLine(layer, sum(files, cost))}`)
  for (const file of costly.slice(0, Number(process.env['COSTLIEST_FILES'] ?? 0)))
    console.log(`  ${cost(file).toFixed(1).padStart(6)} s ${file.relativeModuleId}`)
}

function layerLine(layer, seconds) {
  const budget = LAYER_BUDGETS[layer]
  if (budget === undefined) return `${layer} ${Math.round(seconds)} s`
  const line = `${layer} ${Math.round(seconds)} s of ${budget} s`
  return seconds > budget ? `${line}: OVER BUDGET by ${Math.ceil(seconds - budget)} s` : line
}

const cost = (file) => file.meta().processorSeconds ?? 0
const tests = (file, state) => [...file.children.allTests(state)].length
const sum = (files, count) => files.reduce((total, file) => total + count(file), 0)
