// `npm run check`: format, lint, types, import rules, dead code and generated files; runs all of them, then reports.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensureDependencies, fail, ROOT } from './prepare.mjs'

const CHECKS = [
  { name: 'format', script: 'oxfmt/bin/oxfmt', args: ['--check', '.'] },
  { name: 'lint', script: 'oxlint/bin/oxlint', args: ['--deny-warnings'] },
  { name: 'types', script: 'typescript/bin/tsc', args: [] },
  { name: 'types of the pages', script: 'typescript/bin/tsc', args: ['--project', 'api/pages/tsconfig.json'] },
  { name: 'imports', script: '../hack/check-imports.mjs', args: [] },
  { name: 'generated files', script: '../hack/generate.ts', args: ['--check'] },
  { name: 'dead code', script: 'knip/bin/knip.js', args: ['--no-progress'] },
]

function check({ name, script, args }) {
  const startedAt = Date.now()
  const node = path.join(ROOT, 'node_modules', 'node', 'bin', 'node')
  const result = spawnSync(node, [path.join(ROOT, 'node_modules', script), ...args], { cwd: ROOT, encoding: 'utf8' })
  const passed = result.status === 0
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
  if (!passed) console.log(`${result.stdout}${result.stderr}${result.error?.message ?? ''}`.trim())
  return passed
}

try {
  ensureDependencies()
  const verdicts = CHECKS.map((each) => check(each))
  if (verdicts.includes(false)) process.exitCode = 1
} catch (error) {
  fail(error)
}
