import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as turnOver } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openLog } from '#core/platform/log.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-log-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function lineOf(name: string, write: (log: ReturnType<typeof openLog>) => void) {
  const file = path.join(folder, name)
  write(openLog('info', file))
  await turnOver()
  return JSON.parse(await readFile(file, 'utf8'))
}

test('only secrets are masked, by name, at the top and one level below', async () => {
  const fields = { token: 'abc', status: 200, mail: { secret: 'def', to: 'x' }, list: ['token'], none: null }
  expect(await lineOf('fields', (log) => log.info(fields, 'done'))).toMatchObject({
    msg: 'done',
    token: '***',
    status: 200,
    mail: { secret: '***', to: 'x' },
    list: ['token'],
    none: null,
  })
  expect(fields.token).toBe('abc')
})

test('an error keeps its message and stack, without the secrets among its fields', async () => {
  const error = Object.assign(new Error('refused'), { url: 'https://example.com/?signature=1', port: 5432 })
  const { err } = await lineOf('error', (log) => log.error({ err: error }, 'failed'))
  expect(err).toMatchObject({ type: 'Error', message: 'refused', url: '***', port: 5432 })
  expect(err.stack).toContain('log.test.ts')
})

test.each([
  ['ECONNREFUSED', 'ECONNREFUSED'],
  ['ERR_INVALID_URL', 'ERR_INVALID_URL'],
  ['57P01', '57P01'],
  ['421337', '***'],
  ['dGhlIHNlY3JldA', '***'],
])('the code %s of an error is shown as %s: an access code is masked', async (code, shown) => {
  const { err } = await lineOf(`code ${code}`, (log) =>
    log.error({ err: Object.assign(new Error('refused'), { code }) }, 'failed'),
  )
  expect(err.code).toBe(shown)
})

test('lines of one turn are written at its end, in order', async () => {
  const file = path.join(folder, 'turn')
  const log = openLog('info', file)
  for (const n of [1, 2, 3]) log.info({ n }, 'line')
  expect(readFileSync(file, 'utf8')).toBe('')
  await turnOver()
  log.info({ n: 4 }, 'line')
  await turnOver()
  expect(await linesOf(file)).toEqual([1, 2, 3, 4])
})

test.each([
  ['exits', 'process.exit(0)'],
  ['fails with an uncaught error', "throw new Error('uncaught')"],
])('what was logged just before the process %s is written', async (_, end) => {
  const file = path.join(folder, `end ${end.slice(0, 5)}`)
  const program = `import { openLog } from '#core/platform/log.ts'; openLog('info', ${JSON.stringify(file)}).info({ n: 1 }, 'last'); ${end}`
  await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program]).catch(() => {})
  expect(await linesOf(file)).toEqual([1])
})

test('lines wait while the disk is full, and the process continues', async () => {
  const file = path.join(folder, 'full')
  const program = `
    import { execFileSync } from 'node:child_process'
    import { setImmediate as turnOver } from 'node:timers/promises'
    import { openLog } from '#core/platform/log.ts'
    process.on('SIGXFSZ', () => {})
    const letFilesGrowTo = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])
    const log = openLog('info', ${JSON.stringify(file)})
    for (const [n, bytes] of [[1, 'unlimited'], [2, 0], [3, 0], [4, 'unlimited']]) {
      letFilesGrowTo(bytes)
      log.info({ n }, 'line')
      await turnOver()
    }`
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program])
  expect(await linesOf(file)).toEqual([1, 2, 3, 4])
  expect(stderr.match(/The log cannot be written: EFBIG/g)).toHaveLength(1)
})

async function linesOf(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).n)
}
