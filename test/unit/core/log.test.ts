import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openLog } from '#core/log.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-log-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function lineOf(name: string, write: (log: ReturnType<typeof openLog>) => void) {
  const file = path.join(folder, name)
  write(openLog('info', file))
  return JSON.parse(await readFile(file, 'utf8'))
}

test('secrets are masked by name, at the top and one level below, and nothing else is', async () => {
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
