// `npm test`: sets everything up, runs every suite, and prints the passed and failed counts as the last line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensurePages } from './build-pages.mjs'
import { ensureDependencies, fail, ROOT } from './prepare.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

const COMPILE_CACHE = path.join(ROOT, 'node_modules', '.compile-cache')
const NODE = path.join(ROOT, 'node_modules', 'node', 'bin', 'node')

/** Runs vitest with these arguments and reads the counts of our reporter. */
function runVitest(countsFile, args) {
  const reporters = ['--reporter=default', '--reporter=./hack/count-reporter.mjs']
  const { status } = spawnSync(NODE, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    // TEST_COUNTS_FILE has no SEALWRIGHT_ prefix, because the services under test reject unknown settings. The compile cache saves each of
    // the hundreds of processes a compilation.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, TEST_COUNTS_FILE: countsFile },
  })
  const counts = JSON.parse(readFileSync(countsFile, 'utf8'))
  const explained = counts.failed > 0 || counts.lostFiles.length > 0
  if (counts.otherErrors > 0 || (status !== 0 && !explained))
    throw new Error(`vitest failed with exit code ${status}, but no test failed.`)
  return counts
}

/**
 * Runs the given arguments. Node 24 occasionally crashes on a race in V8's compiler (nodejs/node#66126): files lost with the process are
 * run once more.
 */
function runSuites(countsFile) {
  const args = process.argv.slice(2)
  const first = runVitest(countsFile, args)
  if (first.lostFiles.length === 0) return first
  console.error(`\nvitest lost a process. Running again: ${first.lostFiles.join(', ')}\n`)
  const options = args.filter((argument, place) => argument.startsWith('-') || /^-[^=]*$/.test(args[place - 1] ?? ''))
  const second = runVitest(countsFile, [...options, ...first.lostFiles])
  return { passed: first.passed + second.passed, failed: first.failed + second.failed + second.lostFiles.length }
}

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-test-'))
try {
  ensureSystemPackages()
  ensureDependencies()
  ensurePages()
  const { passed, failed } = runSuites(path.join(folder, 'counts.json'))
  if (passed + failed === 0) throw new Error('No tests were run.')
  if (failed > 0) process.exitCode = 1
  console.log(`${passed} passed, ${failed} failed`)
} catch (error) {
  fail(error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
