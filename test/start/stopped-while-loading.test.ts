// A stop signal while a process is loading its modules: a container's first process ignores signals without a listener.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../hack/servers/free-port.ts'
import { runTier } from '../support/servers/tier-process.ts'

/** Sends SIGTERM when the first module of a package is loaded. */
const STOPS = `
import { registerHooks } from 'node:module'
let isAsked = false
registerHooks({ load(url, context, next) {
  if (!isAsked && url.includes('/node_modules/')) process.kill(process.pid, 'SIGTERM')
  isAsked ||= url.includes('/node_modules/')
  return next(url, context)
} })`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-loading-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.concurrent.each([
  ['the API', ['api/main.ts']],
  ['a worker', ['workers/main.ts', 'relay']],
  ['the controller', ['controller/main.ts']],
])('%s ends cleanly', async (_, command) => {
  const preload = `data:text/javascript,${encodeURIComponent(STOPS)}`
  const settings = {
    SEALWRIGHT_DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x`,
    SEALWRIGHT_INSTALLATION_KEY: randomBytes(32).toString('base64'),
    SEALWRIGHT_DATA_DIR: folder,
    SEALWRIGHT_MAIL_KEEP: 'true',
    SEALWRIGHT_METRICS_PORT: '0',
  }
  expect(await runTier(['--import', preload, ...command], settings)).toEqual({ code: 0, words: [] })
})
