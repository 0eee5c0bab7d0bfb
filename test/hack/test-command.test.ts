import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-lost-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** `npm test` with arguments, as a user could run it who has no settings. */
function runCommand(...args: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SEALWRIGHT_')))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['hack/test.mjs', ...args], {
    encoding: 'utf8',
    env: { ...env, LOST_ONCE_MARK: path.join(folder, 'lost') },
  })
  return { status, lastLine: stdout.trim().split('\n').at(-1), stderr }
}

const npmTest = (...files: string[]) => runCommand('--project', 'unit', ...files)
const withLostProcess = (...files: string[]) =>
  runCommand('--config', 'test/fixtures/lost-process/vitest.config.ts', ...files.map((file) => `lost-process/${file}`))

describe('npm test', () => {
  // rows: running/starting/npm test
  test('ends with the count as its last line', () => {
    expect(npmTest('test/unit/core/platform/config/secret.test.ts')).toMatchObject({
      status: 0,
      lastLine: expect.stringMatching(/^\d+ passed, 0 failed$/),
    })
  })

  test('does not take no test for a pass', () => {
    expect(npmTest('test/unit/no-such-file').status).not.toBe(0)
  })

  test('runs what was lost with its process again, once, and says so', () => {
    const { status, lastLine, stderr } = withLostProcess('once', 'other')
    expect([status, lastLine]).toEqual([0, '2 passed, 0 failed'])
    expect(stderr).toContain('Running again: test/fixtures/lost-process/once.test.ts')
    expect(withLostProcess('always', 'other')).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' })
  })

  test('does not take an error that belongs to no test for a pass', () => {
    const { status, lastLine } = withLostProcess('stray')
    expect(status).not.toBe(0)
    expect(lastLine).not.toContain('passed')
  })
})
