// The commands of the image as processes: what an operator sees of them without a cluster.
import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { PROCESSES } from '../../../hack/image/processes.ts'

interface Result {
  code: number
  stdout: string
  stderr: string
}

function sealwright(...args: readonly string[]): Promise<Result> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: 'node_modules/.compile-cache' }
  return new Promise((resolve) => {
    execFile(process.execPath, ['hack/image/main.ts', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

describe.each(Object.keys(PROCESSES))('%s', (name) => {
  test('without settings it exits with 1 and names those that it requires', async () => {
    const { code, stderr } = await sealwright(name)
    expect([code, stderr.match(/SEALWRIGHT_\w+(?= is not set)/g)]).toEqual([
      1,
      ['SEALWRIGHT_DATABASE_URL', 'SEALWRIGHT_INSTALLATION_KEY', 'SEALWRIGHT_SMTP_URL'],
    ])
  })
})

test('preflight without settings exits with 1: it needs an API server', async () => {
  const { code, stderr } = await sealwright('preflight')
  expect([code, stderr]).toEqual([1, expect.stringContaining('SEALWRIGHT_KUBECONFIG is not set')])
})

test('the help lists every process', async () => {
  const { code, stdout } = await sealwright('--help')
  expect(code).toBe(0)
  for (const name of [...Object.keys(PROCESSES), 'migrate', 'preflight']) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('an argument of a process, and an unknown command, are wrong usage', async () => {
  expect((await sealwright('api', '--port=1')).code).toBe(2)
  expect((await sealwright('start')).code).toBe(2)
})
