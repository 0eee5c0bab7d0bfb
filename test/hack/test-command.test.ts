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

const npmTest = (...files: string[]) => runCommand('--project', 'unit', ...files)
const withLostProcess = (...files: string[]) =>
  runCommand('--config', 'test/fixtures/lost-process/vitest.config.ts', ...files.map((file) => `lost-process/${file}`))

describe('npm test', () => {
  // requirements: running/starting/npm test
  test('ends with the count as its last line', () => {
    expect(npmTest('test/unit/core/platform/config/secret.test.ts')).toMatchObject({
      status: 0,
      lastLine: expect.stringMatching(/^\d+ passed, 0 failed$/),
    })
  })

  test('fails without any test', () => {
    expect(npmTest('test/unit/no-such-file').status).not.toBe(0)
  })

  test('repeats files whose process was lost, once, and reports it', () => {
    const { status, lastLine, stderr } = withLostProcess('once', 'other')
    expect([status, lastLine]).toEqual([0, '2 passed, 0 failed'])
    expect(stderr).toContain('Run again: test/fixtures/lost-process/once.test.ts')
    expect(withLostProcess('always', 'other')).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' })
  })

  test('fails on an error outside tests', () => {
    const { status, lastLine } = withLostProcess('stray')
    expect(status).not.toBe(0)
    expect(lastLine).not.toContain('passed')
  })
})
