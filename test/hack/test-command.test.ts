import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-lost-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm test` with arguments, as a user without settings runs it. */
function runCommand(...args: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SEALWRIGHT_')))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['hack/test.mjs', ...args], {
    encoding: 'utf8',
    env: { ...env, LOST_ONCE_MARK: path.join(folder, 'lost') },
  })
  return { status, lastLine: stdout.trim().split('\n').at(-1), stderr }
}

/** On a project of its own, which starts faster than ours. */
const npmTest = (...files: string[]) =>
  runCommand('--config', 'test/fixtures/lost-process/vitest.config.ts', ...files.map((file) => `lost-process/${file}`))

describe('npm test', () => {
  test('does not take no test for a pass', () => {
    expect(npmTest('no-such-file').status).not.toBe(0)
  })

  // requirements: running/starting/npm test
  test('runs what was lost with its process again, once, says so, and ends with the count as its last line', () => {
    const { status, lastLine, stderr } = npmTest('once', 'other')
    expect([status, lastLine]).toEqual([0, '2 passed, 0 failed'])
    expect(stderr).toContain('Running again: test/fixtures/lost-process/once.test.ts')
    expect(npmTest('always', 'other')).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' })
  })

  test('fails on an error outside tests', () => {
    const { status, lastLine } = npmTest('stray')
    expect(status).not.toBe(0)
    expect(lastLine).not.toContain('passed')
  })
})
