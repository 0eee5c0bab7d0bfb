// A process that reads hostile files holds no secret, reaches no file but its own, and costs only its task when it is lost.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { limitMemory } from '#core/platform/processes/memory-limit.ts'
import { openProcessPool, type ProcessPool, type ProcessPoolOptions } from '#core/platform/processes/process-pool.ts'
import { FILLED_MEBIBYTES, type UnrulyProcessTask } from '../../../../support/faults/misbehaving-process.ts'

interface Answer {
  pid: number
  environment: string[]
  files: string[]
  text: string
}
type Pool = ProcessPool<{ task: UnrulyProcessTask }, Answer>

const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-processes-'))
const file = path.join(folder, 'upload.pdf')
const secret = path.join(folder, 'installation-key')
const opened: Pool[] = []
writeFileSync(secret, 'secret')

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
  // What closed pools leave.
  expect(readdirSync(folder).filter((name) => name.startsWith('process-'))).toEqual([])
})
afterAll(() => rmSync(folder, { recursive: true }))

function openPool(options: Partial<ProcessPoolOptions> = {}): Pool {
  writeFileSync(file, 'original')
  const pool: Pool = openProcessPool({
    pool: 'inspection',
    module: new URL('../../../../support/faults/misbehaving-process.ts', import.meta.url),
    functionName: 'run',
    folder,
    processes: 1,
    maxWaiting: 4,
    limitSeconds: 10,
    heapMebibytes: 64,
    memoryMebibytes: 512,
    ...options,
  })
  opened.push(pool)
  return pool
}

async function answerOf(pool: Pool, task: UnrulyProcessTask = 'answer'): Promise<Answer> {
  const outcome = await pool.run(file, { task })
  if (!outcome.finished) throw new Error('the task was lost')
  return outcome.answer
}

const GONE = expect.objectContaining({ name: 'DomainError', code: 'SERVICE_UNAVAILABLE' })
/** The owner computes, as it does on a busy machine. */
function compute(milliseconds: number): void {
  for (const until = Date.now() + milliseconds; Date.now() < until;);
}

function residentMebibytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

const DENIED = /Access to this API has been restricted/

describe('a process that reads hostile files', () => {
  test('has no secret in its environment, and no file or socket of the process that started it', async () => {
    vi.stubEnv('SEALWRIGHT_DATABASE_URL', 'postgres://user:password@db')
    await using server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const pool = openPool()
    const { pid, environment, files, text } = await answerOf(pool)
    vi.unstubAllEnvs()
    expect({ files, text }).toEqual({ files: ['document.pdf'], text: 'original' })
    expect(environment.toSorted()).toEqual(['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_', 'NODE_COMPILE_CACHE'])
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/SEALWRIGHT|postgres|KUBERNETES|TOKEN/)
    const held = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    // Its channel to the process that started it, and nothing of that one's.
    expect(held.filter((each) => each.startsWith('socket:'))).toHaveLength(1)
    expect(held.filter((each) => each.startsWith('/') && !/^\/dev\/|^\/proc\//.test(each))).toEqual([])
  })

  test('is denied every other file, the compile cache too, other programs and threads', async () => {
    const pool = openPool()
    const tasks: UnrulyProcessTask[] = [
      { read: secret },
      { read: '/var/run/secrets/kubernetes.io/serviceaccount/token' },
      { read: `/proc/${process.pid}/environ` },
      { read: path.resolve('.sealwright/dev.json') },
      { write: path.join(getCompileCacheDir() ?? '', 'compiled') },
      'spawn',
      'thread',
    ]
    for (const task of tasks) await expect(pool.run(file, { task })).rejects.toThrow(DENIED)
  })

  test('can change its file, and no other', async () => {
    const pool = openPool()
    await answerOf(pool, 'write')
    expect(readFileSync(file, 'utf8')).toBe('changed')
    expect(await answerOf(pool)).toMatchObject({ text: 'changed', files: ['document.pdf'] })
  })

  test('gets a copy of a file on another file system, and changes that file', async () => {
    using other = mkdtempDisposableSync('/dev/shm/sealwright-')
    const place = path.join(other.path, 'upload.pdf')
    writeFileSync(place, 'original')
    const outcome = await openPool().run(place, { task: 'write' })
    expect(outcome).toMatchObject({ finished: true, answer: { text: 'changed', files: ['document.pdf'] } })
    expect(readFileSync(place, 'utf8')).toBe('changed')
  })

  test('serves one task after the other, and keeps no file of an earlier one', async () => {
    const pool = openPool()
    const [first, second] = [await answerOf(pool), await answerOf(pool)]
    expect(second).toEqual(first)
    const inside = readdirSync(folder).filter((name) => name.startsWith('process-'))
    expect(inside.flatMap((name) => readdirSync(path.join(folder, name)))).toEqual([])
  })
})

describe('a process that is lost', () => {
  test.each<[string, UnrulyProcessTask, Partial<ProcessPoolOptions>]>([
    ['by its time limit', 'hang', { limitSeconds: 1 }],
    ['by its heap', 'hoard', {}],
    ['by its memory', 'hoard buffers', { memoryMebibytes: 200 }],
  ])('%s is replaced, and the task is reported as lost', async (_, task, options) => {
    const pool = openPool(options)
    const before = await answerOf(pool)
    expect(await pool.run(file, { task })).toEqual({ finished: false })
    expect((await answerOf(pool)).pid).not.toBe(before.pid)
  })

  test('by its time limit is reported so also when it notices the limit before its owner', async () => {
    const pool = openPool({ limitSeconds: 1 })
    await answerOf(pool)
    const hung = pool.run(file, { task: 'hang' })
    await sleep(800)
    compute(600)
    expect(await hung).toEqual({ finished: false })
    expect(await answerOf(pool)).toMatchObject({ text: 'original' })
  })

  test.each([
    ['with a task', true],
    ['without a task', false],
  ])('by a kill -9 %s costs no other task', async (_, isBusy) => {
    const pool = openPool()
    const { pid } = await answerOf(pool)
    const hung = isBusy ? pool.run(file, { task: 'hang' }) : undefined
    const refused = hung && expect(hung).rejects.toEqual(GONE)
    process.kill(pid, 'SIGKILL')
    await refused
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}/environ`)).toBe(false))
    expect((await answerOf(pool)).pid).not.toBe(pid)
  })

  test('by its own end is replaced, and its task answers that the service is unavailable', async () => {
    const pool = openPool()
    await expect(pool.run(file, { task: 'exit' })).rejects.toEqual(GONE)
    expect(await answerOf(pool)).toMatchObject({ text: 'original' })
  })

  test('by its caller ends with the reason of the caller', async () => {
    const pool = openPool()
    await answerOf(pool)
    const caller = new AbortController()
    const hung = pool.run(file, { task: 'hang' }, { signal: caller.signal })
    setTimeout(() => caller.abort(new Error('the client went away')), 50)
    await expect(hung).rejects.toThrow('the client went away')
    expect(await answerOf(pool)).toMatchObject({ text: 'original' })
  })
})

describe('a process that its owner has killed', () => {
  test('gets no task, also when it had answered', async () => {
    const pool = openPool()
    const { pid } = await answerOf(pool)
    const caller = new AbortController()
    const answered = pool.run(file, { task: 'fill' }, { signal: caller.signal })
    await vi.waitFor(() => expect(residentMebibytes(pid)).toBeGreaterThan(FILLED_MEBIBYTES), { timeout: 10_000, interval: 10 })
    compute(500)
    caller.abort(new Error('the client went away'))
    await expect(answered).rejects.toThrow('the client went away')
    expect(await answerOf(pool)).toMatchObject({ text: 'original' })
  })

  test('was over its limit during its task: a look that began before has no effect', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const exceeded = vi.fn<() => void>()
    const end = limitMemory(process.pid, 1, exceeded)
    vi.advanceTimersByTime(100)
    vi.useRealTimers()
    end()
    await sleep(50)
    expect(exceeded).not.toHaveBeenCalled()
  })
})

test('a task that throws leaves its process', async () => {
  const pool = openPool()
  const { pid } = await answerOf(pool)
  await expect(pool.run(file, { task: 'fail' })).rejects.toThrow('the task failed')
  expect((await answerOf(pool)).pid).toBe(pid)
})

test('a process that does not start costs its task, which learns that the service is unavailable', async () => {
  const pool = openPool({ functionName: 'missing' })
  pool.prepare()
  const run = pool.run(file, { task: 'answer' })
  await expect(run).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { message: 'A process that reads documents did not start (1).' },
  })
})

test('a pool starts no process before the first document is on its way, and then one', async () => {
  const inside = () => readdirSync(folder).filter((name) => name.startsWith('process-'))
  const pool = openPool({ processes: 2 })
  expect(inside()).toEqual([])
  pool.prepare()
  pool.prepare()
  await answerOf(pool)
  expect(inside()).toHaveLength(1)
})

test('a pool starts a second process while the first is busy', async () => {
  const pool = openPool({ processes: 2 })
  const { pid } = await answerOf(pool)
  const caller = new AbortController()
  const hung = pool.run(file, { task: 'hang' }, { signal: caller.signal })
  expect((await answerOf(pool)).pid).not.toBe(pid)
  caller.abort(new Error('enough'))
  await expect(hung).rejects.toThrow('enough')
})

test('a process ends with the one that started it, idle or in the middle of a task', async () => {
  mkdirSync(path.join(folder, 'owned'))
  const owner = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../../../../support/faults/owner-of-processes.ts'), path.join(folder, 'owned')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [output] = (await once(owner.stdout, 'data')) as [Buffer]
  const pids = output.toString().trim().split(' ').map(Number)
  expect(pids).toHaveLength(2)
  owner.kill('SIGKILL')
  await vi.waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), { timeout: 15_000, interval: 100 })
})
