// The processes of the split run: when they count as ready, and what happens when one exits.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTiers, type Tiers } from '../../../hack/split/start-tiers.ts'

const STUB = fileURLToPath(new URL('stub-tier.ts', import.meta.url))
const NEVER = new AbortController().signal

let folder: string
let endings: AsyncDisposableStack
let said: string[]

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-tiers-'))
  endings = new AsyncDisposableStack()
  endings.defer(() => rm(folder, { recursive: true }))
  said = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await endings.disposeAsync()
})

async function start(modes: readonly string[], environment: Record<string, string> = {}): Promise<Tiers> {
  const processes = modes.map((mode) => ({ name: mode, command: [STUB, mode, path.join(folder, 'mark')] }))
  return endings.use(await startTiers({ processes, environment, host: '127.0.0.1', folder }))
}

const pidOf = async (name: string): Promise<number> =>
  JSON.parse(await readFile(path.join(folder, 'processes.json'), 'utf8'))[name]

test('one that fails before all are ready ends the start, with its own message', async () => {
  const tiers = await start(['ready', 'faulty'])
  await expect(tiers.untilReady(NEVER)).rejects.toThrow(/^faulty exited \(exit code 1\)\. No such key\.\nNo such door\.$/)
  expect(said).toEqual([])
})

test('one that is killed before all are ready is restarted', async () => {
  const tiers = await start(['ready', 'killed'])
  await tiers.untilReady(NEVER)
  expect(said).toEqual(['killed exited (signal SIGKILL) and is restarted.'])
})

test('one that fails later is restarted, and its message is shown', async () => {
  const tiers = await start(['ready'])
  await tiers.untilReady(NEVER)
  const pid = await pidOf('ready')
  process.kill(pid, 'SIGUSR2')
  await expect.poll(() => said).toEqual(['ready exited (exit code 1) and is restarted. Last output: No such key.\nNo such door.'])
  await expect.poll(() => pidOf('ready')).not.toBe(pid)
})

test('a given port that another program uses is rejected', async () => {
  await using stranger = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(stranger, 'listening')
  const address = stranger.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  await expect(start(['ready'], { SEALWRIGHT_METRICS_PORT: port })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}. See SEALWRIGHT_METRICS_PORT.`,
  )
})

test('a stop ends the wait', async () => {
  const tiers = await start(['faulty'])
  const stop = new AbortController()
  stop.abort(new Error('stopped'))
  await expect(tiers.untilReady(stop.signal)).rejects.toThrow('stopped')
})

test('all are stopped concurrently, each with its own grace period', async () => {
  const tiers = await start(['one', 'other'])
  await tiers.untilReady(NEVER)
  const askedAt = performance.now()
  await tiers[Symbol.asyncDispose]()
  expect(performance.now() - askedAt).toBeLessThan(10_000)
})
