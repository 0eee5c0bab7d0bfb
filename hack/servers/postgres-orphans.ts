// Ends Postgres processes that an earlier run left in our data folder, for example after a kill -9, before a new server starts. They are
// identified by their working folder, which a reused pid cannot imitate. Linux only: elsewhere Postgres's own lock on the folder protects
// it.
import { readFile, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errnoOf } from '#core/platform/storage/storage-error.ts'

const POLL_MS = 20
const FAST_SHUTDOWN_MS = 15_000
const IMMEDIATE_SHUTDOWN_MS = 5_000
/** A run that was killed a moment ago may still be ending. */
const KILLED_RUN_MS = 1_000

/** Names the starter in the server's command line. */
export function clusterName(starterPid: number): string {
  return `sealwright-${starterPid}`
}

/** Ends an earlier run's processes, cleanly if possible. Throws when the run that started them is alive, or when they do not end. */
export async function stopOrphans(dataDir: string): Promise<void> {
  if (process.platform !== 'linux') return
  const lock = await readLock(dataDir)
  const running = await processesIn(dataDir)
  if (running.length > 0) {
    if (lock !== undefined && !(await isGivenUp(dataDir, lock))) {
      throw new Error(`Another run (process ${await parentOf(lock)}) uses the Postgres in ${dataDir}.`)
    }
    // SIGINT: the server ends its sessions and writes a last checkpoint, and its children follow. Without the server, they take SIGTERM.
    if (lock !== undefined && running.includes(lock)) signal([lock], 'SIGINT')
    else signal(running, 'SIGTERM')
    if (!(await haveEnded(dataDir, FAST_SHUTDOWN_MS))) signal(await processesIn(dataDir), 'SIGQUIT')
    if (!(await haveEnded(dataDir, IMMEDIATE_SHUTDOWN_MS))) throw new Error(`A Postgres of an earlier run still uses ${dataDir}.`)
  }
  // No Postgres process uses the folder any more, so the lock's pid belongs to another program.
  if (lock !== undefined) await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

async function readLock(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return pid > 0 ? pid : undefined
}

async function processesIn(dataDir: string): Promise<number[]> {
  const folder = await realpath(dataDir).catch(() => undefined)
  if (folder === undefined) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
      return cwd === folder && (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')) === 'postgres\n'
    }),
  )
  return pids.filter((_, index) => found[index]).map(Number)
}

/** Whether the server is still the child of the run that started it; an orphan has another parent. */
async function isOwned(dataDir: string, pid: number): Promise<boolean> {
  const options = await readFile(join(dataDir, 'postmaster.opts'), 'utf8').catch(() => '')
  const parent = await parentOf(pid)
  return parent !== undefined && options.includes(`cluster_name=${clusterName(parent)}"`)
}

/** Whether the run that started the server has ended, or ends within a second. */
async function isGivenUp(dataDir: string, pid: number): Promise<boolean> {
  for (let waitedMs = 0; await isOwned(dataDir, pid); waitedMs += POLL_MS) {
    if (waitedMs >= KILLED_RUN_MS) return false
    await delay(POLL_MS)
  }
  return true
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const parent = /^PPid:\s*(\d+)$/m.exec(status)?.[1]
  return parent === undefined ? undefined : Number(parent)
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if (errnoOf(error) !== 'ESRCH') throw error
    }
  }
}

async function haveEnded(dataDir: string, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; (await processesIn(dataDir)).length > 0; waitedMs += POLL_MS) {
    if (waitedMs >= withinMs) return false
    await delay(POLL_MS)
  }
  return true
}
