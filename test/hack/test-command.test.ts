import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

/** `npm test` with only some files, as a user could run it. */
function npmTest(...files: string[]) {
  const { status, stdout } = spawnSync(process.execPath, ['hack/test.mjs', '--project', 'unit', ...files], { encoding: 'utf8' })
  return { status, lastLine: stdout.trim().split('\n').at(-1) }
}

describe('npm test', () => {
  // rows: running/starting/npm test
  test('ends with the count as its last line', () => {
    expect(npmTest('test/unit/core/config/secret.test.ts')).toEqual({
      status: 0,
      lastLine: expect.stringMatching(/^\d+ passed, 0 failed$/),
    })
  })

  test('does not take no test for a pass', () => {
    expect(npmTest('test/unit/no-such-file').status).not.toBe(0)
  })
})
