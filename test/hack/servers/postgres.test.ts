import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PostgresOptions, type PostgresServer, startPostgres } from '../../../hack/servers/postgres.ts'

const STARTER = fileURLToPath(new URL('run-postgres.ts', import.meta.url))

let folder: string
let dataDir: string
let servers: PostgresServer[]
let starters: ChildProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealwright-postgres-'))
  dataDir = join(folder, 'postgres')
  servers = []
  starters = []
})
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  for (const starter of starters) starter.kill('SIGKILL')
  for (const pid of await processesIn(dataDir)) signal(pid, 'SIGINT')
  await expect.poll(() => processesIn(dataDir), { timeout: 15_000 }).toEqual([])
  await rm(folder, { recursive: true })
})

/** Servers start and end helper processes all the time. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    // it ended before the signal
  }
}

async function start(options: Partial<PostgresOptions> = {}): Promise<PostgresServer> {
  const server = await startPostgres({ dataDir, password: 'test', durable: false, persistent: true, ...options })
  servers.push(server)
  return server
}

/** Another process that starts the server, as `npm start` would. */
async function startElsewhere(): Promise<{ starter: ChildProcess; url: string; pid: number }> {
  const starter = spawn(process.execPath, [STARTER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  starters.push(starter)
  const [line] = await once(createInterface(starter.stdout), 'line')
  return { starter, ...JSON.parse(line) }
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(`${url}/postgres`, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(statement))]
  } finally {
    await sql.end()
  }
}

async function processesIn(workingFolder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === workingFolder).map(Number)
}

async function insert(url: string, value: number): Promise<void> {
  await query(url, `create table if not exists numbers (n int); insert into numbers values (${value})`)
}

const stored = async (url: string) => (await query(url, 'select n from numbers order by n')).map((row) => row['n'])

describe('startPostgres', () => {
  test('keeps the data between starts', async () => {
    const first = await start()
    await insert(first.url, 1)
    await first.stop()
    expect(await first.exited).toBe('exit code 0')
    const second = await start()
    expect(await stored(second.url)).toEqual([1])
  })

  test('accepts the superuser only with the password, and only on loopback', async () => {
    const { url } = await start({ password: 'p:w/@ x' })
    expect(await query(url, `select current_setting('listen_addresses') as at`)).toEqual([{ at: '127.0.0.1' }])
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  test("folds case by Unicode's rules and uses UTF-8", async () => {
    const { url } = await start()
    expect(await query(url, `select 'ÄRGER' ilike '%ärg%' as found, current_setting('server_encoding') as encoding`)).toEqual([
      { found: true, encoding: 'UTF8' },
    ])
  })

  test('flushes to disk only where durability is requested', async () => {
    const durable = await start({ durable: true })
    expect(await query(durable.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    await durable.stop()
    expect(await query((await start()).url, 'show fsync')).toEqual([{ fsync: 'off' }])
  })

  test('deletes the data of a non-persistent server', async () => {
    const server = await start({ persistent: false })
    await server.stop()
    await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('keeps details of failing rows out of its log', async () => {
    const { url } = await start()
    await query(url, 'create table people (email text unique)')
    await query(url, "insert into people values ('ada@example.test')")
    await expect(query(url, "insert into people select 'ada@example.test'")).rejects.toMatchObject({ code: '23505' })
    const log = await readFile(`${dataDir}.log`, 'utf8')
    expect(log).toContain('people_email_key')
    expect(log).not.toMatch(/DETAIL/)
  })

  test('starts over when a first start was cut off halfway', async () => {
    await (await start()).stop()
    await rm(dataDir, { recursive: true })
    const half = `${dataDir}.new`
    await mkdir(join(half, 'cluster', 'base'), { recursive: true })
    await writeFile(join(half, 'password'), 'old')
    const { url } = await start()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(folder)).toEqual(['postgres', 'postgres.log'])
  })

  test('reports why a start failed', async () => {
    await expect(start({ settings: ['shared_buffers=nonsense'] })).rejects.toThrow(
      /did not start in .*postgres: exit code 1, .*shared_buffers/s,
    )
  })
})

describe('after a crash', () => {
  test('the server exits cleanly when its starter is killed', async () => {
    const { starter, pid } = await startElsewhere()
    starter.kill('SIGKILL')
    await expect.poll(() => processesIn(dataDir), { timeout: 15_000 }).not.toContain(pid)
    expect(await readFile(`${dataDir}.log`, 'utf8')).toContain('database system is shut down')
  })

  test('killing every process at once loses nothing that was committed', async () => {
    const { starter, url, pid } = await startElsewhere()
    await insert(url, 7)
    const all = await processesIn(dataDir)
    expect(all).toContain(pid)
    starter.kill('SIGKILL')
    for (const victim of all) signal(victim, 'SIGKILL')
    const next = await start()
    expect(await stored(next.url)).toEqual([7])
    expect(await readFile(`${dataDir}.log`, 'utf8')).toContain('automatic recovery in progress')
  })

  test('a leftover server is stopped in order before the next one starts', async () => {
    const { starter, url, pid } = await startElsewhere()
    await insert(url, 8)
    // Without its watcher the server does not notice that its starter is gone.
    const [watcher] = await watchersOf(pid)
    process.kill(watcher!, 'SIGKILL')
    await expect.poll(() => watchersOf(pid)).toEqual([])
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    const next = await start()
    expect(await stored(next.url)).toEqual([8])
    expect(await readFile(`${dataDir}.log`, 'utf8')).not.toContain('recovery')
  })

  test('a lock whose pid now belongs to another program is ignored', async () => {
    await (await start()).stop()
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.pid}\n`)
    await expect(start()).resolves.toMatchObject({ pid: expect.any(Number) })
  })

  test('a run that ends at the same time is waited for', async () => {
    const { starter, url, pid } = await startElsewhere()
    await insert(url, 9)
    const [watcher] = await watchersOf(pid)
    process.kill(watcher!, 'SIGKILL')
    // By then the folder has been seen in use.
    setTimeout(() => starter.kill('SIGKILL'), 200)
    const next = await start()
    expect(await stored(next.url)).toEqual([9])
  })

  test('a folder of a live run is left alone', async () => {
    const { starter, url } = await startElsewhere()
    await expect(start()).rejects.toThrow(`Another run (process ${starter.pid}) uses the Postgres in ${dataDir}.`)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

async function watchersOf(session: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return pids.filter((_, index) => new RegExp(`^\\d+ \\(sh\\) [^Z] \\d+ \\d+ ${session} `).test(stats[index] ?? '')).map(Number)
}
