// `npm test`: all the set-up that the tests need, every suite, and as the last line how many passed and failed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensurePages } from './build-pages.mjs'
import { ensureDependencies, fail, ROOT } from './prepare.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

const NODE = path.join(ROOT, 'node_modules', 'node', 'bin', 'node')

/** Runs vitest with what else was given on the command line, and reads its own count. */
function runSuites(reportFile) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...process.argv.slice(2)]
  const { status } = spawnSync(NODE, args, { cwd: ROOT, stdio: 'inherit' })
  const { numPassedTests, numFailedTests, numTotalTests, testResults } = JSON.parse(readFileSync(reportFile, 'utf8'))
  // A file that breaks before its first test has no test that failed.
  const brokenFiles = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const failed = numFailedTests + brokenFiles
  if (numTotalTests === 0) throw new Error('No test was run.')
  if (status !== 0 && failed === 0) throw new Error(`vitest ended with ${status} although no test failed.`)
  return { passed: numPassedTests, failed }
}

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-test-'))
try {
  ensureSystemPackages()
  ensureDependencies()
  ensurePages()
  const { passed, failed } = runSuites(path.join(folder, 'report.json'))
  if (failed > 0) process.exitCode = 1
  console.log(`${passed} passed, ${failed} failed`)
} catch (error) {
  fail(error)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
